// Colors for HCL: the highlighter of mdBook does not know the language.
(function (hljs) {
  if (!hljs) {
    return;
  }
  hljs.registerLanguage('hcl', function () {
    const interpolation = { className: 'subst', begin: /[$%]\{/, end: /\}/, keywords: 'for in if else endif endfor' };
    const string = {
      className: 'string',
      variants: [{ begin: /"/, end: /"/ }, { begin: /<<-?(\w+)$/, end: /^\s*\w+$/ }],
      contains: [{ begin: /\\.|\$\$\{|%%\{/ }, interpolation],
    };
    const number = { className: 'number', begin: /\b\d+(\.\d+)?([eE][+-]?\d+)?\b/ };
    interpolation.contains = [string, number];
    return {
      name: 'HCL',
      aliases: ['terraform', 'tf'],
      keywords: { keyword: 'for in if else endif endfor', literal: 'true false null' },
      contains: [
        { className: 'comment', variants: [{ begin: /#/, end: /$/ }, { begin: /\/\//, end: /$/ }, { begin: /\/\*/, end: /\*\// }] },
        string,
        number,
        { className: 'attr', begin: /^\s*[\w-]+(?=\s*=[^=>])/ },
        { className: 'title', begin: /^\s*[\w-]+(?=(\s+("[^"]*"|[\w-]+))*\s*\{)/ },
      ],
    };
  });
  document.querySelectorAll('code.language-hcl, code.language-terraform').forEach(function (block) {
    block.textContent = block.textContent;
    hljs.highlightBlock(block);
  });
})(window.hljs);
