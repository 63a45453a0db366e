// The main message: what happened, what it means for the money, and what to do next.
import type { PageState, PageStep } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'
import { Icon, type IconName } from './icons.tsx'
import { Said, saidIn } from './said.tsx'

type Tone = 'good' | 'wait' | 'bad' | 'over'

/** Steps with an icon. In the other steps the payer has to act, and the panel shows what to do. */
const results: Partial<Record<PageStep, { readonly tone: Tone; readonly icon: IconName }>> = {
  confirming: { tone: 'wait', icon: 'clock' },
  paid: { tone: 'good', icon: 'check' },
  overpaid: { tone: 'good', icon: 'check' },
  late: { tone: 'good', icon: 'check' },
  expired: { tone: 'over', icon: 'clock' },
  failed: { tone: 'bad', icon: 'cross' },
  canceled: { tone: 'over', icon: 'cross' },
}

/** Screen readers read it when it changes. */
export function Status({ state }: { readonly state: PageState }) {
  const result = results[state.step]
  const asksAgain = state.step === 'underpaid'
  return (
    <div class={`status ${result?.tone ?? (asksAgain ? 'todo' : 'task')}`} role="status">
      {result !== undefined && (
        <span class="seal" key={state.step}>
          <Icon name={result.icon} size={28} />
        </span>
      )}
      <h2 key={`${state.step} ${state.headline}`}>
        {asksAgain && <Icon name="alert" size={24} />}
        {saidIn(state, state.headline)}
      </h2>
      <p key={state.message}>{saidIn(state, state.message)}</p>
    </div>
  )
}

/** A failed try, while another is possible. */
export function Problem({ state }: { readonly state: PageState }) {
  if (state.problem === undefined) return null
  return (
    <p class={state.isSaidInForm === true ? 'problem without-script' : 'problem'} role="alert">
      <Icon name="alert" />
      <Said state={state} text={state.problem} />
    </p>
  )
}

/** Keeps the place of the code, so that the layout does not jump when it arrives. */
export function Preparing({ state }: { readonly state: PageState }) {
  return (
    <div class="panel preparing">
      <div class="qr blank">
        <span>{wordsOf(state).preparing}…</span>
      </div>
    </div>
  )
}
