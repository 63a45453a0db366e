// The commands that write nothing into the audit log, each with the reason.

/** Commands that are no group, or change no row of ours. */
export const others: Readonly<Record<string, string>> = {
  start: 'runs the service',
  api: 'runs the service',
  worker: 'runs the service',
  watcher: 'runs the service',
  migrate: 'the table of migrations says what was run; the log may not be there yet',
  'backup mark': 'its row says when; a program runs it with each backup',
  rekey: 'its own test finds its entries',
  restored: 'its own test finds its entries',
  payer: 'its own test finds its entries',
  verify: 'reads',
  config: 'reads',
  doctor: 'reads, and asks providers when told to',
  balances: 'reads, and queries providers',
  demo: 'calls the API of the sandbox, as a merchant does',
  env: 'reads',
  listen: 'calls the API, as a merchant does',
  mcp: 'calls the API, as a merchant does',
  trigger: 'calls the API of the sandbox, as a merchant does',
  rehearse: 'calls the API, as a merchant does',
  reset: 'forgets the sandbox, with its log',
  help: 'prints',
  cell: 'changes the directory of cells, which writes down who did it: cell.test.ts',
  signer: 'has no database: its folder is on a machine of its own',
  'connection register': 'calls a provider: its test is in connection.test.ts',
  'sandbox create':
    'calls simulated providers: its tests are in sandbox/sandboxes.test.ts and in the journey',
}
