// The view of one method: one value of this type in a file of its own, listed in all.ts.
import type { JSX } from 'preact'
import type { Panel, Panels } from '#/checkout/methods/panels.ts'
import type { PageState } from '#/checkout/page-state.ts'
import type { PanelName } from '#/rails/methods.ts'

export type PanelProps<P extends Panel> = {
  readonly state: PageState
  readonly panel: P
  /** Makes the server query the provider now. Absent on the server. */
  readonly check?: () => void
}

export type MethodView<P extends Panel> = {
  /** What the payer pays with. */
  readonly Panel: (props: PanelProps<P>) => JSX.Element
  /** How far the network has confirmed detected money: below the panel, and in its place when nothing is left to pay. */
  readonly Progress?: (props: PanelProps<P>) => JSX.Element | null
  /** The payer is busy with a form, so the line about live updates is left out. */
  readonly isForm?: true
  /** A form that a payer types into must not move: what arrives meanwhile is shown below it. */
  readonly isTypedInto?: (panel: P) => boolean
}

/** One for each method with a panel of its own. */
export type MethodViews = { readonly [M in PanelName]: MethodView<Panels[M]> }
