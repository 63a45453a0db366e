// The payer's page: the amount on the left, the next step on the right; one below the other on a phone.
import { useState } from 'preact/hooks'
import type { PageState } from '#/checkout/page-state.ts'
import { isForm, isTypedInto, PanelOf, ProgressOf } from './panels/panel.tsx'
import { Footer } from './parts/footer.tsx'
import { Live } from './parts/live.tsx'
import { ChooseMethod, OtherMethods } from './parts/methods.tsx'
import { Receipt } from './parts/receipt.tsx'
import { Rest } from './parts/rest.tsx'
import { Back, Leave, isStuck } from './parts/return.tsx'
import { Simulate } from './parts/simulate.tsx'
import { Preparing, Problem, Status } from './parts/status.tsx'
import { Summary } from './parts/summary.tsx'

type PageProps = {
  readonly state: PageState
  /** Makes the server query the provider now. Absent on the server. */
  readonly check?: () => void
  /** Neither streams nor polls get through. */
  readonly isCut?: boolean
}

/** Everything inside the body, from the state alone. */
export function CheckoutPage({ state, check, isCut = false }: PageProps) {
  // The problem of a method is over once the payer has chosen another: until the next state comes.
  const [choseAt, setChoseAt] = useState<number>()
  const onChange = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.name === 'method') setChoseAt(state.version)
  }
  return (
    <div class="page" data-step={state.step}>
      <Summary state={state} />
      <main class="action" onChange={onChange}>
        <div class="column">
          <Status state={state} />
          {!isTypedInto(state) && choseAt !== state.version && <Problem state={state} />}
          <Step state={state} isCut={isCut} {...(check === undefined ? {} : { check })} />
          <Simulate state={state} />
        </div>
      </main>
      <Footer state={state} />
    </div>
  )
}

function Step({ state, check, isCut = false }: PageProps) {
  const live = (showsListening: boolean) => (
    <Live state={state} isCut={isCut} showsListening={showsListening} />
  )
  switch (state.step) {
    case 'choose':
      return (
        <>
          {live(false)}
          <ChooseMethod state={state} />
          <Leave state={state} />
        </>
      )
    case 'preparing':
      return (
        <>
          {live(false)}
          <Preparing state={state} />
          <OtherMethods state={state} />
          <Leave state={state} />
        </>
      )
    case 'waiting':
    case 'underpaid':
      if (isStuck(state)) return <Ending state={state} />
      return (
        <>
          {live(!isForm(state) && state.rest === undefined)}
          <Rest state={state} />
          <PanelOf state={state} {...(check === undefined ? {} : { check })} />
          <ProgressOf state={state} />
          <OtherMethods state={state} />
          <Leave state={state} />
        </>
      )
    case 'confirming':
      return (
        <>
          {live(false)}
          <ProgressOf state={state} />
          <Receipt state={state} />
          <Back state={state} />
        </>
      )
    case 'paid':
    case 'overpaid':
    case 'late':
    case 'expired':
    case 'failed':
    case 'canceled':
      return <Ending state={state} />
  }
}

/** The result, and the links out of the page. */
function Ending({ state }: { readonly state: PageState }) {
  return (
    <>
      <Receipt state={state} />
      <Back state={state} />
    </>
  )
}
