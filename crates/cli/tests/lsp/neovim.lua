-- Opens a file, and does in Neovim what its user does. The results are written to a file, one in a line.
local root, out = vim.env.ROOT, {}
local function say(...) table.insert(out, table.concat({ ... }, " ")) end
local function wait(until_true) assert(vim.wait(20000, until_true, 20), "nothing happened") end
local function line(number) return vim.api.nvim_buf_get_lines(0, number - 1, number, false)[1] end
local function go(row, text)
  vim.api.nvim_win_set_cursor(0, { row, assert(line(row):find(text, 1, true), text) - 1 })
end
-- Neovim 0.7 has other names for some functions.
local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
local format = vim.lsp.buf.format or function() vim.lsp.buf.formatting_sync(nil, 20000) end

vim.o.swapfile = false
dofile(vim.env.CONFIG)
vim.cmd("filetype on")
vim.cmd("edit " .. root .. "/main.tf")
local function client() return clients()[1] end
wait(function() return client() and client().initialized and vim.lsp.buf_is_attached(0, client().id) end)
say("client", client().name)

wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, found in ipairs(vim.diagnostic.get(0)) do say("diagnostic", tostring(found.lnum + 1), found.code) end

local function ask(method, more)
  local place = vim.lsp.util.make_position_params(0, client().offset_encoding)
  local answers = assert(vim.lsp.buf_request_sync(0, method, vim.tbl_extend("force", place, more or {}), 20000))
  return assert(answers[client().id].result, vim.inspect(answers))
end
local function hover(row, text)
  go(row, text)
  say("hover", ask("textDocument/hover").contents.value:match(vim.pesc(text) .. " = [^\n]*"))
end
hover(9, "local.zone")
hover(5, "var.region")
go(12, "dd")
for _, item in ipairs(ask("textDocument/completion").items) do
  say("completion", item.label)
  vim.lsp.util.apply_text_edits({ item.textEdit }, vim.api.nvim_get_current_buf(), client().offset_encoding)
end
say("completed", line(12))

go(1, "region")
vim.lsp.buf.rename("location")
wait(function() return line(1):find("location") end)
say("renamed", line(5))
format({ timeout_ms = 20000 })
say("formatted", line(5))
go(9, "cidr")
vim.lsp.buf.rename("block")
wait(function() return line(9):find("block") end)

vim.api.nvim_buf_set_lines(0, -1, -1, false, { "a = 'x'" })
wait(function()
  for _, found in ipairs(vim.diagnostic.get(0)) do
    if found.code == "wrong-character" then return true end
  end
end)
local range = { start = { line = 13, character = 0 }, ["end"] = { line = 14, character = 0 } }
for _, action in ipairs(ask("textDocument/codeAction", { range = range, context = { diagnostics = {} } })) do
  say("action", action.title)
  vim.lsp.util.apply_workspace_edit(action.edit, client().offset_encoding)
end
say("fixed", line(14))
vim.cmd("silent wall")
vim.cmd("edit " .. root .. "/net/main.tf")
wait(function() return vim.lsp.buf_is_attached(0, client().id) end)
go(2, "output")
for _, action in ipairs(ask("textDocument/codeAction", { range = { start = { line = 1, character = 0 }, ["end"] = { line = 1, character = 0 } }, context = { diagnostics = {}, only = { "refactor.move" } } })) do
  if action.title:find("^Split") then
    say("action", action.title)
    vim.lsp.util.apply_workspace_edit(action.edit, client().offset_encoding)
  end
end
vim.cmd("silent wall")
vim.lsp.stop_client(clients())
wait(function() return #clients() == 0 end)
vim.fn.writefile(out, vim.env.OUT)
vim.cmd("qall!")
