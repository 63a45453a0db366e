// The live feed: a changed record is fetched again and replaced where it stands, so lists do not jump. New records wait behind a line that
// says how many there are. Without the feed, what is shown is fetched every ten seconds.
import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { checkSession, get } from './client.ts'
import { markChanged, markNew } from './marks.ts'
import type { Page } from './records.ts'

type Happening = {
  readonly number: number
  readonly type: string
  readonly subject: { kind: string; id: string }
}
type Row = { readonly id: string; readonly createdAt?: string }

/** The areas whose lists can fetch one record by `GET /{area}/{id}`. */
const areas: Readonly<Record<string, string>> = {
  payment: 'payments',
  refund: 'refunds',
  dispute: 'disputes',
  withdrawal: 'withdrawals',
  transfer: 'transfers',
  wallet: 'wallets',
  transfer_grant: 'transfer-grants',
}

/** Changes of one second are handled at once; more than this many are fetched as lists. */
const gatherMs = 1_000
const singlesMax = 20
const pollMs = 10_000
const waitMaxMs = 30_000

/** Follows the merchant's events for as long as the component is there. */
export function useLive(merchantId: string): void {
  const client = useQueryClient()
  useEffect(() => follow(client, merchantId), [client, merchantId])
}

function follow(client: QueryClient, merchantId: string): () => void {
  let source: EventSource | undefined
  let failures = 0
  let reopening: ReturnType<typeof setTimeout> | undefined
  let gathering: ReturnType<typeof setTimeout> | undefined
  const gathered = new Map<string, Happening>()
  const isOpen = () => source?.readyState === EventSource.OPEN
  const polling = setInterval(() => {
    if (!isOpen() && document.visibilityState === 'visible')
      void client.invalidateQueries({ queryKey: ['m', merchantId] })
  }, pollMs)

  const settle = () => {
    gathering = undefined
    const changes = [...gathered.values()]
    gathered.clear()
    void applyAll(client, merchantId, changes)
  }
  const open = () => {
    const opened = new EventSource(`/api/m/${merchantId}/live`)
    source = opened
    opened.addEventListener('open', () => {
      // What happened in between was missed.
      if (failures > 0) void client.invalidateQueries({ queryKey: ['m', merchantId] })
      failures = 0
    })
    opened.addEventListener('message', ({ data }) => {
      const happening = JSON.parse(String(data)) as Happening
      gathered.set(`${happening.subject.kind} ${happening.subject.id}`, happening)
      countEvent(client, merchantId, happening)
      gathering ??= setTimeout(settle, gatherMs)
    })
    opened.addEventListener('error', () => {
      opened.close()
      // A session that was ended elsewhere closes its feeds.
      void checkSession()
      failures += 1
      clearTimeout(reopening)
      reopening = setTimeout(open, Math.min(1_000 * 2 ** failures, waitMaxMs))
    })
  }
  open()
  return () => {
    source?.close()
    clearInterval(polling)
    clearTimeout(reopening)
    clearTimeout(gathering)
  }
}

/** A list of events, where one is shown, does not hold this one yet. */
function countEvent(client: QueryClient, merchantId: string, { number }: Happening): void {
  const queryKey = ['m', merchantId, 'events', 'list']
  if (client.getQueryCache().findAll({ queryKey, type: 'active' }).length > 0)
    markNew(`${merchantId} events`, String(number))
}

async function applyAll(
  client: QueryClient,
  merchantId: string,
  changes: readonly Happening[],
): Promise<void> {
  const key = (...rest: readonly string[]) => ({ queryKey: ['m', merchantId, ...rest] })
  void client.invalidateQueries(key('overview'))
  void client.invalidateQueries(key('wallets'))
  if (changes.length > singlesMax) return client.invalidateQueries(key())
  for (const { subject } of changes) {
    const area = areas[subject.kind.toLowerCase()]
    if (area === undefined) continue
    void client.invalidateQueries(key(area, 'one', subject.id))
    // Refunds and disputes change the payment that they belong to.
    if (area === 'refunds' || area === 'disputes') void client.invalidateQueries(key('payments', 'one'))
    await patchLists(client, merchantId, area, subject.id)
  }
}

/** Puts the present record into the lists that hold it, and counts it where it is newer than all that they hold. */
async function patchLists(client: QueryClient, merchantId: string, area: string, id: string): Promise<void> {
  const queryKey = ['m', merchantId, area, 'list']
  const lists = client.getQueriesData<InfiniteData<Page<Row>>>({ queryKey, type: 'active' })
  if (lists.length === 0) return
  const record = await get<Row>(`/m/${merchantId}/${area}/${id}`).catch(() => undefined)
  if (record === undefined) return
  for (const [listKey, data] of lists) {
    const rows = data?.pages.flatMap((page) => page.data) ?? []
    if (rows.some((row) => row.id === id)) {
      markChanged(id)
      client.setQueryData<InfiniteData<Page<Row>>>(listKey, (old) => old && replaced(old, record))
    } else if ((record.createdAt ?? '') > (rows[0]?.createdAt ?? '')) markNew(`${merchantId} ${area}`, id)
  }
}

function replaced(old: InfiniteData<Page<Row>>, record: Row): InfiniteData<Page<Row>> {
  const pages = old.pages.map((page) => ({
    ...page,
    data: page.data.map((row) => (row.id === record.id ? { ...row, ...record } : row)),
  }))
  return { ...old, pages }
}
