// `help`: what ./vintem can do.
import { toJson } from '#/kernel/json.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { formatTable } from './table.ts'

const commands: Readonly<Record<string, string>> = {
  start: 'Everything in one process, with its own database and a sandbox: what npm start runs',
  demo: 'One payment in the running sandbox, step by step, from the call to the verified webhook',
  env: 'Print address, key and webhook secret of the running sandbox, for a shell',
  listen: 'Show your events as they happen, and forward them to a program on this machine',
  mcp: 'Serve your records, the documents and, in a sandbox, payments to try, to an agent (Model Context Protocol)',
  trigger: 'Make something happen in the sandbox: a payment by Pix, a declined card, a dispute and more',
  rehearse: 'Test your own server with good, forged, repeated and reordered webhooks, and see what to change',
  sandbox: 'Make further sandboxes beside the first one, list them, archive them',
  config: 'All settings: value, default and meaning',
  doctor: 'Check what live money needs: settings, keys, database, connections; say what to do',
  merchant:
    'Make merchants, list them, set their fees, suspend and resume them, rotate their webhook secrets',
  cell: 'Add cells, list and drain them, and keep the HAProxy that leads each call to its cell',
  key: 'Issue, list, revoke and rotate API keys',
  user: 'Create the people who sign in to the dashboard, invite them, help them in, disable them',
  wallet: "List a merchant's wallets, and choose the default one of a currency",
  connection: 'Add credentials at providers, test and replace them, register callbacks',
  chain: 'Show the chains that are followed, and let a halted one continue',
  inbox: 'Show what could not be settled and waits for a person; try it again or drop it',
  suspense: 'Show money that fits no payment; credit it to a merchant, or record that it went back',
  statement: 'Import the files in which a bank says what came; decide transfers whose reference has a typo',
  'payment-file': 'Put payouts by bank transfer into a file, and take it once for the upload at the bank',
  template: "Set how a merchant's checkouts look and what they offer; list, show, activate, deactivate them",
  refund: 'Show refunds that have not ended, and end one that cannot be sent',
  withdrawal: 'Show withdrawals, end one whose provider reports no end, and set limits',
  payer: 'Erase what is known of a payer where the books do not have to keep it',
  freeze: 'Let no money out: of one merchant, by one rail, or at all; list what is frozen',
  unfreeze: 'End a freeze',
  verify: 'Recompute the books and say whether anything was tampered with',
  backup: 'Note that a backup was made or tried, and show how old both are',
  restored: 'Repair after the database was restored to an earlier moment, step by step; lets money out last',
  rekey: 'Change the keys in use; list what still needs the previous master key',
  migrate: 'Bring the database up to this release, as its owner (DATABASE_OWNER_URL)',
  api: 'Serve the API alone, on a database of your own',
  worker: 'Settle what came in, end what is over and send webhooks, alone',
  watcher: 'Follow the chains, alone',
  balances: 'Query every provider for what it holds for us, and show every difference from the books',
  coins: 'Show where every coin lies, in the books and on the chain; prepare a refill to sign',
  rescue: 'Recover what was sent to our addresses and is no payment: other tokens, other networks',
  signer: 'Hold the keys of our wallets and sign what its policy allows, alone; make and list keys',
  reset: 'Forget the data of the sandbox',
}

/** For a command without arguments that was given one. Returns the exit code. */
export function explainBare({ out, err, paint, symbols }: Terminal, name: string, given: string): number {
  if (given === '--help' || given === '-h') {
    out(paint.strong(`./vintem ${name}`))
    out(`${commands[name]}.`)
    return 0
  }
  err(`${paint.bad(symbols.fail)} ${name} has no use for "${printable(given)}". See ./vintem ${name} --help.`)
  return 2
}

export function printHelp(
  { out, paint, width }: Terminal,
  version: string,
  { json = false }: { readonly json?: boolean } = {},
): void {
  if (json) return out(toJson(Object.entries(commands).map(([name, summary]) => ({ name, summary }))))
  out(`${paint.strong(`Vintem ${version}`)}: payments and wallets behind one JSON API`)
  out()
  out(`${paint.strong('./vintem <command>')} ${paint.soft('[--help]')}`)
  out()
  const rows = Object.entries(commands).map(([name, about]) => ({ name: `  ${name}`, about }))
  const [, ...lines] = formatTable(
    rows,
    [
      { name: '', value: ({ name }) => name },
      { name: '', value: ({ about }) => about },
    ],
    width,
  )
  for (const line of lines) out(line)
  out()
  out(paint.soft('./vintem dev <script> runs a program of yours with the Node of Vintem.'))
  out(paint.soft('Settings are environment variables: ./vintem config shows them all.'))
}
