-- Opens a file, and does in Neovim what its user does. The results are written to a file, one in a line.
local hcl, root, out = vim.env.HCL, vim.env.ROOT, {}
local function say(...) table.insert(out, table.concat({ ... }, " ")) end
local function wait(until_true) assert(vim.wait(20000, until_true, 20), "nothing happened") end
local function line(number) return vim.api.nvim_buf_get_lines(0, number - 1, number, false)[1] end

vim.o.swapfile = false
vim.lsp.config("hcl", { cmd = { hcl, "lsp" }, filetypes = { "terraform" }, root_dir = root })
vim.lsp.enable("hcl")
vim.cmd.edit(root .. "/main.tf")
vim.bo.filetype = "terraform"
local function client() return vim.lsp.get_clients({ bufnr = 0 })[1] end
wait(function() return client() and client().initialized end)
say("client", client().name)

wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, found in ipairs(vim.diagnostic.get(0)) do say("diagnostic", tostring(found.lnum + 1), found.code) end

local function ask(method, row, column, more)
  local document = vim.lsp.util.make_text_document_params(0)
  local position = { line = row - 1, character = column }
  local parameters = vim.tbl_extend("force", { textDocument = document, position = position }, more or {})
  local answer = assert(client():request_sync(method, parameters, 20000, 0))
  return assert(answer.result, vim.inspect(answer.err))
end
say("hover", ask("textDocument/hover", 9, 20).contents.value:match("local.zone = [^\n]*"))
for _, item in ipairs(ask("textDocument/completion", 12, 21).items) do say("completion", item.label) end

vim.api.nvim_win_set_cursor(0, { 1, 11 })
vim.lsp.buf.rename("location")
wait(function() return line(1):find("location") end)
say("renamed", line(5))
vim.lsp.buf.format({ timeout_ms = 20000 })
say("formatted", line(5))
vim.api.nvim_win_set_cursor(0, { 9, 3 })
vim.lsp.buf.rename("block")
wait(function() return line(9):find("block") end)
vim.cmd("silent wall")

vim.api.nvim_buf_set_lines(0, -1, -1, false, { "a = 'x'" })
wait(function()
  for _, found in ipairs(vim.diagnostic.get(0)) do
    if found.code == "wrong-character" then return true end
  end
end)
local range = { start = { line = 13, character = 0 }, ["end"] = { line = 14, character = 0 } }
for _, action in ipairs(ask("textDocument/codeAction", 1, 0, { range = range, context = { diagnostics = {} } })) do
  say("action", action.title)
  vim.lsp.util.apply_workspace_edit(action.edit, client().offset_encoding)
end
say("fixed", line(14))
for _, own in ipairs(vim.lsp.get_clients()) do own:stop() end
wait(function() return #vim.lsp.get_clients() == 0 end)
vim.fn.writefile(out, root .. "/out")
vim.cmd("qall!")
