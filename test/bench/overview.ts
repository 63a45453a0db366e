// The overview of a merchant with few payments and with very many, each on a PostgreSQL and a dashboard's server of its own: `GET
// /api/m/{merchant}/overview` over HTTP, with a session, as a page calls it.
import assert from 'node:assert/strict'
import type { OverviewSpan } from '#/insights/overview.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { DashboardCaller } from './dashboard-server.ts'
import { plantShop } from './overview-shop.ts'
import { openPlace, type BenchSetup } from './place.ts'
import { drive, startChild } from './process.ts'
import { table } from './report.ts'
import { takeTurns, type Contender, type Pace } from './rounds.ts'

const spans = ['today', '7d', '30d', '90d'] as const satisfies readonly OverviewSpan[]
const few = 10_000

/** `payments`: of the large merchant. Time of a view there at most 1.5 times that of the small one. */
export async function measureOverview(pace: Pace, payments: number): Promise<string> {
  await using small = await openPlace()
  await using large = await openPlace()
  const [ofSmall, ofLarge] = [await plantShop(small, few), await plantShop(large, payments)]
  const [smallServer, largeServer] = [await serve(small), await serve(large)]
  const of = await takeTurns(
    spans.flatMap((span) => [
      contender(`${span}, few`, smallServer.caller, small, span),
      contender(`${span}, many`, largeServer.caller, large, span),
    ]),
    { rounds: pace.rounds * 3, spanMs: pace.spanMs / 3 },
  )
  await smallServer.close()
  await largeServer.close()
  const counted = (count: number) => count.toLocaleString('en-US')
  const rows = table(
    `The overview over HTTP, ${counted(few)} and ${counted(payments)} payments`,
    spans.flatMap((span) => [
      { what: `${span}: few payments`, samples: of(`${span}, few`) },
      {
        what: `**${span}: many payments**`,
        samples: of(`${span}, many`),
        aims: [
          {
            than: 'of the one with few',
            samples: of(`${span}, few`),
            atLeast: 1 / 1.5,
            as: 'percent' as const,
          },
          ...(span === '90d' ? [{ perSecondAtLeast: 5 }] : []),
        ],
      },
    ]),
  )
  return `${rows}\n\nfigures: ${counted(ofSmall.figures)} and ${counted(ofLarge.figures)} rows; ledger: ${counted(ofSmall.entries)} and ${counted(ofLarge.entries)} entries`
}

async function serve({ place }: BenchSetup) {
  const { opened, close } = await startChild('./dashboard-server.ts', { place })
  return { caller: opened as DashboardCaller, close }
}

function contender(
  name: string,
  caller: DashboardCaller,
  { place }: BenchSetup,
  span: OverviewSpan,
): Contender {
  return {
    name,
    run: (spanMs) => drive(1, spanMs, () => view(caller, place.merchantId, span)),
    close: async () => {},
  }
}

/** Reads a whole view. Fails unless everything of a merchant is in it. */
async function view(
  { url, headers }: DashboardCaller,
  merchantId: MerchantId,
  span: OverviewSpan,
): Promise<void> {
  const ask = () => fetch(`${url}/api/m/${merchantId}/overview?span=${span}`, { headers })
  // While others had their turn the server may have ended the connection, just as it is used again.
  const answer = await ask().catch(ask)
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  if (span !== '90d') return
  const { attention, present, wallets } = JSON.parse(text) as {
    readonly attention: Readonly<Record<string, { readonly count: number }>>
    readonly present: { readonly paid: readonly unknown[] }
    readonly wallets: readonly unknown[]
  }
  assert.ok(present.paid.length > 0 && wallets.length >= 3, 'there are figures and wallets')
  for (const name of ['endpoints', 'disputes', 'underpaid', 'suspended'])
    assert.ok((attention[name]?.count ?? 0) > 0, `${name} wait for a person`)
}
