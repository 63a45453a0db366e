// The page docs/event-catalogue.md, written from the table of events: every type, when it is sent, and its body.
import { eventTypes } from '#/contract/events.ts'
import { eventMeanings } from '#/contract/webhook-events.ts'
import { eventExample } from '#/http/event-catalogue.ts'
import { toJson } from '#/kernel/json.ts'
import { type EventType } from '#/webhooks/event.ts'

const intro = `# Event catalogue

Every type of event, when it is sent, and its body. \`GET /v1/event-types\` answers the same. [Webhooks](webhooks.md#events) says which of them
go to a \`webhookUrl\`, and how they are signed. Ignore types and fields that you do not know: new ones may be added.

\`data\` is the record as its own GET showed it at that moment. A field that does not apply is absent. The payments below are paid in USDT; one by
PIX has \`endToEndIds\` instead of \`deposits\` and the fields that begin with \`crypto\`.

<!-- Written by \`npm run openapi\` from the table of events: do not change it by hand. -->
`

/** The headings, by the word before the dot of their types. */
const families: Readonly<Record<string, string>> = {
  payment: 'Payments',
  refund: 'Refunds',
  dispute: 'Disputes',
  withdrawal: 'Withdrawals',
  wallet: 'Wallets',
  transfer: 'Transfers',
  transfer_grant: 'Transfer grants',
  share: 'Shares of sub-accounts',
  webhook_endpoint: 'Webhook endpoints',
  service: 'The service',
}

/** The text of the page. */
export function eventPage(): string {
  let text = intro
  let last: string | undefined
  for (const type of eventTypes) {
    const family = type.slice(0, type.indexOf('.'))
    const heading = families[family]
    if (heading === undefined) throw new Error(`scripts/event-page.ts has no heading for ${type}`)
    if (family !== last) text += `\n## ${heading}\n`
    last = family
    text += partOf(type)
  }
  return text
}

function partOf(type: EventType): string {
  return `
### \`${type}\`

${eventMeanings[type]}

<!-- not checked: test/docs/event-catalogue.test.ts compares it with openapi.json -->
\`\`\`json
${toJson(eventExample(type), 2)}
\`\`\`
`
}
