// A list of the API: awaited it is its first page, iterated it is every record of every page.

export type Page<Item> = {
  readonly data: readonly Item[]
  /** Absent on the last page. */
  readonly nextCursor?: string
}

/**
 * `await client.payments.list()` is one page, with `nextCursor`; `for await (const payment of client.payments.list())` fetches further
 * pages when they are reached.
 */
export class Pages<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<Page<Item>>

  constructor(fetchPage: (cursor: string | undefined) => Promise<Page<Item>>) {
    this.#fetchPage = fetchPage
  }

  /** The page behind a cursor; without one the first. */
  page(cursor?: string): Promise<Page<Item>> {
    return this.#fetchPage(cursor)
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list is its first page: that is what the class is for
  then<Result = Page<Item>, Failure = never>(
    onPage?: ((page: Page<Item>) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#fetchPage(undefined).then(onPage, onError)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    let cursor: string | undefined
    do {
      const page: Page<Item> = await this.#fetchPage(cursor)
      yield* page.data
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
}
