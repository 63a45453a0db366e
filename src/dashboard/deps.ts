// The dependencies of the dashboard. app/dashboard.ts passes them in.
import type { CheckoutView } from '#/checkout/view.ts'
import type { PackedFile } from '#/edge/packed-file.ts'
import type { HttpDeps } from '#/http/deps.ts'
import type { Letter } from '#/mail/letter.ts'
import type { PeopleDeps } from '#/people/user.ts'
import type { TemplateStore } from '#/templates/store.ts'
import type { OperatorDeps } from './operator/deps.ts'
import type { ResetLimit } from './reset-limit.ts'

export type DashboardDeps = {
  /** Of the routes of the API, which members call too. */
  readonly http: HttpDeps
  readonly people: PeopleDeps
  readonly templates: TemplateStore
  /** Of the operator's console. */
  readonly operator: OperatorDeps
  /** The view of the payer's pages, for previews of templates. */
  readonly view: CheckoutView
  /** The scheme, host and port of the dashboard. */
  readonly origin: string
  /** Whether there is a sandbox here. */
  readonly isSandboxHere: boolean
  /** Sends a letter. Absent: no mail server is set. */
  readonly post?: (letter: Letter) => Promise<void>
  readonly resets: ResetLimit
  /** The built pages, or what is missing until they are built. */
  readonly pages: () => Pages
}

/** The files of the dashboard's pages. */
export type Pages =
  | {
      readonly state: 'built'
      /** The page of a path, which names these calls of the API. Pages differ only in what they load at once. */
      readonly htmlOf: (path: string, calls: readonly string[]) => string
      /** By the name under `/assets/`. */
      readonly files: ReadonlyMap<string, PackedFile>
    }
  | { readonly state: 'building' }
  | { readonly state: 'failed'; readonly reason: string }
