// What a developer needs in the first minute, in the terminal: the addresses, the key, and four calls to paste.
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { sandboxProviders } from './methods/all.ts'
import type { SandboxFile } from './provision.ts'

/** Prints the welcome. `startedInMs`: from the command to ready. */
export function printWelcome(
  terminal: Terminal,
  sandbox: SandboxFile,
  start: {
    readonly startedInMs: number
    readonly version: string
    /** Why payments by CRYPTO do not work, if they do not. */
    readonly fault?: string | undefined
  },
): void {
  const { out, paint, symbols } = terminal
  out()
  out(
    `  ${paint.accent(symbols.mark)} ${paint.strong(`Vintem ${start.version}`)}  ${paint.soft(`ready in ${inSeconds(start.startedInMs)}`)}`,
  )
  if (start.fault !== undefined)
    out(`  ${paint.bad(symbols.fail)} CRYPTO does not work yet. ${printable(start.fault)}`)
  out()
  const facts = factsOf(sandbox)
  const labelWidth = Math.max(...facts.map(({ label }) => label.length))
  for (const { label, value, note } of facts) {
    out(
      `  ${paint.soft(label.padEnd(labelWidth))}  ${value}${note === undefined ? '' : `  ${paint.soft(note)}`}`,
    )
  }
  // On a line of its own, so that no terminal cuts it.
  out(`  ${sandbox.dashboard.signInUrl}`)
  out()
  out(`  ${paint.soft('Paste this into a second terminal:')}`)
  for (const [index, { title, command }] of curlsOf(sandbox).entries()) {
    out()
    out(`  ${paint.accent(`# ${index + 1}. ${title}`)}`)
    for (const line of command.split('\n')) out(`  ${line}`)
  }
  out()
  out(
    `  ${paint.soft('By PIX: the same, with')} "currency": "BRL" ${paint.soft('and')} ["PIX"] ${paint.soft('in the first call.')}`,
  )
  out(
    `  ${paint.soft('Or watch the whole story:')} ${paint.strong('npm run demo')}   ${paint.soft('Ctrl-C stops everything.')}`,
  )
  out()
}

export type Fact = { readonly label: string; readonly value: string; readonly note?: string }

function factsOf({ apiUrl, apiKey, dashboard, chain, simulators }: SandboxFile): readonly Fact[] {
  return [
    { label: 'API', value: apiUrl, note: 'open it in a browser to watch' },
    { label: 'Bank', value: simulators.pixBank.controlUrl, note: 'in a browser, to pay PIX by hand' },
    { label: 'Chain', value: chain.rpcUrl, note: `chain id ${chain.chainId}` },
    { label: 'Key', value: apiKey },
    { label: 'Dashboard', value: dashboard.url, note: 'sign in by this link, once:' },
  ]
}

export type Curl = { readonly title: string; readonly about: string; readonly command: string }

/** The four calls of a first payment, for bash and zsh with curl alone, to paste into one terminal one after another or all at once. */
export function curlsOf({ apiUrl, apiKey }: Pick<SandboxFile, 'apiUrl' | 'apiKey'>): readonly Curl[] {
  return [
    {
      title: 'Create a payment',
      about: 'Of 10.00 USDT, with a fresh idempotency key. Its webhooks go to the inbox of this sandbox.',
      // The answer's first member is the id, so the fourth piece between quotes is its value.
      command: [
        `KEY=${apiKey}`,
        `API=${apiUrl}`,
        `PAYMENT=$(curl -sS "$API/v1/payments" -H "apikey: $KEY" \\`,
        `  -H 'content-type: application/json' -d '{`,
        `  "amount": 1000, "currency": "USDT",`,
        `  "paymentMethods": ["CRYPTO"],`,
        `  "idempotencyKey": "'$(date +%s)-$RANDOM'",`,
        `  "webhookUrl": "'$API'/sandbox/inbox" }')`,
        `ID=$(echo "$PAYMENT" | cut -d '"' -f 4); echo "$PAYMENT"`,
      ].join('\n'),
    },
    {
      title: 'Pay it',
      about:
        'As the payer would: real tokens on the sandbox’s own chain. Try under, over, twice, late and reorged too.',
      command: [
        `curl -sS "$API/v1/sandbox/payments/$ID/pay" \\`,
        `  -H "apikey: $KEY" -H 'content-type: application/json' \\`,
        `  -d '{ "scenario": "exact" }'; echo`,
      ].join('\n'),
    },
    {
      title: 'Get it',
      about: 'It is PAID about two seconds later, once the block with the transfer is final.',
      command: `sleep 3; curl -sS "$API/v1/payments/$ID" -H "apikey: $KEY"; echo`,
    },
    {
      title: 'See the wallet',
      about: 'The money is booked by double entry, in the same transaction that made the payment PAID.',
      command: `curl -sS "$API/v1/wallets" -H "apikey: $KEY"; echo`,
    },
  ]
}

/** A step with the page where it can be done by hand instead. */
export type MethodCurl = Curl & { readonly page?: { readonly url: string; readonly words: string } }

/** A payment by each other method, and a checkout, one call each, in the terminal where the first four were pasted. */
export function methodCurlsOf({ simulators }: Pick<SandboxFile, 'simulators'>): readonly MethodCurl[] {
  return [
    ...sandboxProviders.map(({ key, welcome: { payment } }) => ({
      title: payment.title,
      about: payment.about,
      command: creation(...payment.terms),
      page: { url: simulators[key].controlUrl, words: payment.pageWords },
    })),
    {
      title: 'Let the payer choose',
      about: 'A checkout of 25.00 BRL: open its checkoutUrl, and choose and pay as your customer would.',
      command: creation(`"amount": 2500, "currency": "BRL",`, `"checkout": "default",`),
    },
  ]
}

/** One call that creates a payment of these terms. Leaves the QR image out of the output. */
function creation(...terms: readonly string[]): string {
  return [
    `PAYMENT=$(curl -sS "$API/v1/payments" -H "apikey: $KEY" \\`,
    `  -H 'content-type: application/json' -d '{`,
    ...terms.map((line) => `  ${line}`),
    `  "idempotencyKey": "'$(date +%s)-$RANDOM'",`,
    `  "webhookUrl": "'$API'/sandbox/inbox" }')`,
    `ID=$(echo "$PAYMENT" | cut -d '"' -f 4)`,
    `echo "$PAYMENT" | sed 's/base64,[^"]*/base64,.../'`,
  ].join('\n')
}

/** A span as people read it: `3.1 s`. */
export function inSeconds(ms: number): string {
  const tenths = Math.round(ms / 100)
  return `${Math.floor(tenths / 10)}.${tenths % 10} s`
}
