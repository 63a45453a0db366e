// The live feed. A changed record is fetched again and replaced where it stands, so lists do not jump. New records stay behind a line that
// says how many there are. Without the feed, everything on the screen is fetched every ten seconds. The feed starts with the changes of the
// half minute before it is opened, so that no change after a page was read is missed. So it may report changes that the page has already.
import {
  replaceEqualDeep,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
  type QueryFilters,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { callAny, type Page, type ReadName } from './call.ts'
import { checkSession } from './client.ts'
import { markChanged, markNew } from './marks.ts'

type Happening = {
  readonly number: number
  readonly type: string
  readonly subject: { kind: string; id: string }
}
type Row = { readonly id: string; readonly createdAt?: string }
type NumberedRow = { readonly sequence: number }

/** The areas whose lists can fetch one record, and by which call. */
const areas: Readonly<Record<string, readonly [area: string, call: ReadName]>> = {
  payment: ['payments', 'getPayment'],
  refund: ['refunds', 'getRefund'],
  dispute: ['disputes', 'getDispute'],
  withdrawal: ['withdrawals', 'getWithdrawal'],
  transfer: ['transfers', 'getTransfer'],
  wallet: ['wallets', 'getWallet'],
  transfer_grant: ['transfer-grants', 'getTransferGrant'],
}

/** Changes of one second are handled at once; more than this many are fetched as lists. */
const gatherMs = 1_000
const singlesMax = 20
/** How many times as long changes wait for a page that loads. */
const waitsMax = 5
const pollMs = 10_000
const waitMaxMs = 30_000
/** A feed that opens later than this may begin after what the page has read. */
const openMaxMs = 20_000

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

  let waits = 0
  let wasFetching = false
  const settle = () => {
    // A query that is still loading is not fetched a second time.
    const isFetching = client.isFetching({ queryKey: ['m', merchantId] }) > 0
    if ((isFetching || wasFetching) && waits < waitsMax) {
      wasFetching = isFetching
      waits += 1
      gathering = setTimeout(settle, gatherMs)
      return
    }
    waits = 0
    wasFetching = false
    gathering = undefined
    const changes = [...gathered.values()]
    gathered.clear()
    void applyAll(client, merchantId, changes)
  }
  const open = () => {
    const openedAt = performance.now()
    const opened = new EventSource(`/api/m/${merchantId}/live`)
    source = opened
    opened.addEventListener('open', () => {
      // What happened in between was missed.
      const isLate = performance.now() - openedAt > openMaxMs
      if (failures > 0 || isLate) void fetchAgain(client, { queryKey: ['m', merchantId] })
      failures = 0
    })
    opened.addEventListener('message', ({ data }) => {
      const happening = JSON.parse(String(data)) as Happening
      gathered.set(`${happening.subject.kind} ${happening.subject.id} ${happening.number}`, happening)
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

/**
 * Fetches again the queries that match. A first fetch that is still running may have read the record before the change, but its answer
 * would count as fresh. So this waits for that answer first.
 */
async function fetchAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  const first = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  const answers = first.flatMap(({ state, promise }) =>
    state.data === undefined && promise !== undefined ? [promise] : [],
  )
  await Promise.allSettled(answers)
  await client.invalidateQueries(filters)
}

async function applyAll(
  client: QueryClient,
  merchantId: string,
  changes: readonly Happening[],
): Promise<void> {
  const key = (...rest: readonly string[]) => ({ queryKey: ['m', merchantId, ...rest] })
  countEvents(client, merchantId, changes)
  const subjects = new Map(changes.map(({ subject }) => [`${subject.kind} ${subject.id}`, subject]))
  void fetchAgain(client, key('overview'))
  void fetchAgain(client, key('wallets'))
  if (subjects.size > singlesMax) return fetchAgain(client, key())
  for (const { kind, id } of subjects.values()) {
    const [area, read] = areas[kind.toLowerCase()] ?? []
    if (area === undefined || read === undefined) continue
    void fetchAgain(client, key(area, 'one', id))
    // Refunds and disputes change the payment that they belong to.
    if (area === 'refunds' || area === 'disputes') void fetchAgain(client, key('payments', 'one'))
    await patchLists(client, merchantId, [area, id], () =>
      callAny<Row>(read, { merchant: merchantId, id }, {}),
    )
  }
}

/** Counts the events that the list of events on the screen, if there is one, does not hold yet. */
function countEvents(client: QueryClient, merchantId: string, changes: readonly Happening[]): void {
  const queryKey = ['m', merchantId, 'events', 'list']
  const lists = client.getQueriesData<InfiniteData<Page<NumberedRow>>>({ queryKey, type: 'active' })
  for (const [listKey, data] of lists) {
    if (data === undefined) void fetchAgain(client, { queryKey: listKey })
    const newest = data?.pages[0]?.data[0]?.sequence ?? 0
    for (const { number } of changes)
      if (data !== undefined && number > newest) markNew(`${merchantId} events`, String(number))
  }
}

/** Puts the present record into the lists that hold it, and counts it where it is newer than all that they hold. */
async function patchLists(
  client: QueryClient,
  merchantId: string,
  [area, id]: readonly [area: string, id: string],
  read: () => Promise<Row>,
): Promise<void> {
  const queryKey = ['m', merchantId, area, 'list']
  const lists = client.getQueriesData<InfiniteData<Page<Row>>>({ queryKey, type: 'active' })
  if (lists.length === 0) return
  const record = await read().catch(() => undefined)
  if (record === undefined) return
  for (const [listKey, data] of lists) {
    if (data === undefined) void fetchAgain(client, { queryKey: listKey })
    const rows = data?.pages.flatMap((page) => page.data) ?? []
    const shown = rows.find((row) => row.id === id)
    if (shown !== undefined) {
      if (replaceEqualDeep(shown, { ...shown, ...record }) !== shown) markChanged(id)
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
