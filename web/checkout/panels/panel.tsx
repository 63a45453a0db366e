// The panel of the payment's method, and the parts that go with it.
import type { PageState } from '#/checkout/page-state.ts'
import { viewOf } from './all.ts'

type Props = {
  readonly state: PageState
  /** Makes the server query the provider now. Absent on the server. */
  readonly check?: () => void
}

export function PanelOf({ state, check }: Props) {
  const { panel } = state
  if (panel === undefined) return null
  const { Panel } = viewOf(panel)
  return <Panel state={state} panel={panel} {...(check === undefined ? {} : { check })} />
}

/** How far money on its way is confirmed. */
export function ProgressOf({ state }: Pick<Props, 'state'>) {
  const { panel } = state
  if (panel === undefined) return null
  const { Progress } = viewOf(panel)
  return Progress === undefined ? null : <Progress state={state} panel={panel} />
}

export function isForm({ panel }: PageState): boolean {
  return panel !== undefined && viewOf(panel).isForm === true
}

export function isTypedInto({ panel }: PageState): boolean {
  return panel !== undefined && viewOf(panel).isTypedInto?.(panel) === true
}
