// What a new merchant sets up, until all of it is there or the list is put away. The server says what is done, from its records.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAct, useAttempt, useIdempotencyKeys } from '../../api/act.ts'
import { call } from '../../api/call.ts'
import type { CreatedPayment, Setup } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMayOperate, useMerchant, useSession } from '../../api/session.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../kit/button.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { PaymentState } from '../../kit/states.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { setupWords } from '../../words/setup.ts'

const test = { amount: 1_000, currency: 'BRL' } as const

type Step = Setup['steps'][number]['step']

/** The test payment of this visit, and how it is kept while the page stays open. */
type Made = {
  readonly made: CreatedPayment | undefined
  readonly onMade: (payment: CreatedPayment) => void
}

export function SetupList({ setup: { steps }, ...made }: { readonly setup: Setup } & Made) {
  const words = useWords(setupWords)
  const format = useFormat()
  const { may } = useMerchant()
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)?.step
  return (
    <section aria-labelledby="setup" className="min-w-0 rounded-card border border-line bg-card">
      <header className="flex min-h-12 items-center gap-x-4 border-b border-line px-4 py-1.5">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
          <h2 id="setup" className="text-15 font-strong">
            {words.title}
          </h2>
          <p className="figures text-13 whitespace-nowrap text-ink-soft">
            {words.progress(steps.length, format.count(done), format.count(steps.length))}
          </p>
        </div>
        {may('profile:write') && <Hide />}
      </header>
      <ol>
        {steps.map(({ step, isDone }, index) => {
          const shown = { step, isDone, isNext: step === next, number: format.count(index + 1) }
          if (step === 'CHECKOUT') return <OwnCheckout key={step} {...shown} />
          if (step === 'PAYMENT') return <FirstPayment key={step} {...shown} {...made} />
          return <Elsewhere key={step} {...shown} step={step} />
        })}
      </ol>
    </section>
  )
}

function Hide() {
  const words = useWords(setupWords)
  const { isBusy, error, send } = useAct()
  const hide = async () => {
    if (await send('hideSetup', { body: { isHidden: true } })) toast(words.hidden)
  }
  return (
    <>
      <Button variant="quiet" icon="close" busy={isBusy} onClick={() => void hide()} className="-mr-2">
        {words.hide}
      </Button>
      <FormFault error={error} />
    </>
  )
}

type Shown = {
  readonly step: Step
  readonly isDone: boolean
  /** It is the first that is not done. */
  readonly isNext: boolean
  readonly number: string
}

function Line({
  step,
  isDone,
  number,
  note,
  children,
}: Shown & { readonly note?: string; readonly children?: ReactNode }) {
  const words = useWords(setupWords)
  return (
    <li className="flex gap-3 border-b border-line px-4 py-3 last:border-0">
      {isDone ? (
        <span className="grid size-6 shrink-0 place-items-center text-good">
          <Icon name="checkCircle" />
        </span>
      ) : (
        <span
          aria-hidden="true"
          className="figures grid size-6 shrink-0 place-items-center rounded-full bg-inset text-13 font-strong text-ink-soft"
        >
          {number}
        </span>
      )}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-6 gap-y-2">
        <div className={`min-w-0 flex-1 ${isDone ? '' : 'basis-60'}`}>
          <h3 className={`text-15 ${isDone ? 'text-ink-soft' : 'font-strong'}`}>{words.steps[step]}</h3>
          {!isDone && <p className="text-13 text-ink-soft">{note ?? words.notes[step]}</p>}
        </div>
        {children}
        {isDone && <span className="text-13 text-good">{words.isDone}</span>}
      </div>
    </li>
  )
}

// What is done on another page.

type Other = Exclude<Step, 'CHECKOUT' | 'PAYMENT'>

function Elsewhere({ step, ...shown }: Shown & { readonly step: Other }) {
  const words = useWords(setupWords)
  const mayOperate = useMayOperate()
  const { id } = useMerchant()
  const links: Readonly<Record<Other, readonly [path: string, label: string]>> = {
    KEY: [`/m/${id}/developers/keys`, words.keys],
    ENDPOINT: [`/m/${id}/developers/webhooks`, words.endpoints],
    // Who is the operator, too, records it there.
    APPROVAL: [
      mayOperate('write') ? `/operator/merchants/${id}` : `/m/${id}/withdrawals/limits`,
      words.limits,
    ],
    TEAM: [`/m/${id}/settings/members`, words.members],
  }
  const [path, label] = links[step]
  return (
    <Line step={step} {...shown}>
      {!shown.isDone && (
        <ButtonLink to={path} variant={shown.isNext ? 'primary' : 'plain'}>
          {label}
        </ButtonLink>
      )}
    </Line>
  )
}

// The first payment: in the sandbox a test payment by one press, its page, and its status.

function FirstPayment({ made, onMade, ...shown }: Shown & Made) {
  const words = useWords(setupWords)
  const format = useFormat()
  const { id, mode } = useMerchant()
  const { keyOf } = useIdempotencyKeys()
  const { attempt, isBusy, error } = useAttempt()
  // The feed of changes keeps it up to date.
  const present = useRead('getPayment', { id: made?.id ?? '', enabled: made !== undefined })
  const variant = shown.isNext ? 'primary' : 'plain'
  const amount = format.money(test.amount, test.currency)
  if (made !== undefined) {
    const payment = present.data ?? { ...made, refundStatus: 'NONE' as const }
    return (
      <Line {...shown} note={words.payNote(amount)}>
        <span className="flex flex-wrap items-center gap-2">
          <span role="status">
            <PaymentState payment={payment} />
          </span>
          {made.checkoutUrl !== undefined && payment.status !== 'PAID' && (
            <ButtonAnchor
              variant={variant}
              icon="external"
              href={made.checkoutUrl}
              target="_blank"
              rel="noreferrer"
            >
              {words.openPage}
            </ButtonAnchor>
          )}
          <ButtonLink to={`/m/${id}/payments/${made.id}`}>{words.viewPayment}</ButtonLink>
        </span>
      </Line>
    )
  }
  if (shown.isDone) return <Line {...shown} />
  if (mode !== 'SANDBOX')
    return (
      <Line {...shown}>
        <ButtonLink to={`/m/${id}/payments/new`} variant={variant}>
          {words.newPayment}
        </ButtonLink>
      </Line>
    )
  const body = { ...test, checkout: 'default', description: words.testDescription }
  const make = () =>
    attempt(async () => onMade(await call('createPayment', { merchant: id, body }, { key: keyOf(body) })))
  return (
    <Line {...shown} note={words.testNote(amount)}>
      <Button variant={variant} busy={isBusy} onClick={() => void make()}>
        {words.testPayment}
      </Button>
      <FormFault error={error} />
    </Line>
  )
}

// The first template of a merchant, by one press: a draft with a name, open in the editor. Published, it is paid there by another two.

function OwnCheckout(shown: Shown) {
  const words = useWords(setupWords)
  const { begin, isBusy, error } = useFirstTemplate()
  return (
    <Line {...shown}>
      {!shown.isDone && (
        <Button
          variant={shown.isNext ? 'primary' : 'plain'}
          icon="templates"
          busy={isBusy}
          onClick={() => void begin()}
        >
          {words.ownCheckout}
        </Button>
      )}
      <FormFault error={error} />
    </Line>
  )
}

const slug = 'my-checkout'

/** Opens the draft, or what has become of it since. */
function useFirstTemplate() {
  const { locale } = useReader()
  const { id } = useMerchant()
  const navigate = useNavigate()
  const { user } = useSession()
  const client = useQueryClient()
  const { attempt, ...state } = useAttempt()
  const begin = () =>
    attempt(async () => {
      const { data, drafts } = await call('listTemplates', { merchant: id })
      if (![...data, ...drafts].some((each) => each.slug === slug)) {
        const original = await call('getTemplate', { merchant: id, id: 'default', query: { revision: 0 } })
        // The editor's parts and texts are large, and few first views need them.
        const [{ createDraft }, { templateWords }] = await Promise.all([
          import('../templates/draft.ts'),
          import('../../words/templates.ts'),
        ])
        const author = { client, userId: user.id, merchantId: id }
        await createDraft(author, slug, templateWords[locale].firstName, original)
      }
      await navigate({ to: `/m/${id}/templates/${slug}` })
    })
  return { ...state, begin }
}
