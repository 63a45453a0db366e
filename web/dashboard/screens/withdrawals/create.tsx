// A new withdrawal in two steps: what and to where; then a review that names amount, fee, destination and what stays.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type FormEvent } from 'react'
import type { Locale } from '#/kernel/language.ts'
import { useAct, type Act } from '../../api/act.ts'
import type { Body } from '../../api/call.ts'
import type { ReviewWithdrawalAnswer, Wallet } from '../../api/generated.ts'
import { codeOf, faultOf, ProblemError } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets } from '../../api/wallets.ts'
import { currencyOfType, type Destination } from '../../api/withdrawals.ts'
import { Approvers } from '../../kit/approvers.tsx'
import { Button } from '../../kit/button.tsx'
import { InsetFacts, sumsIn } from '../../kit/facts.tsx'
import { Loaded, FormFault } from '../../kit/fault.tsx'
import { Fields, type Draft, type Item } from '../../kit/form.tsx'
import { minorOf } from '../../kit/format.ts'
import { useKeptDraft } from '../../kit/kept-draft.ts'
import { Money } from '../../kit/money.tsx'
import { PageHeader, Card, Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords, useReader } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { emptyDestination, DestinationFields, destinationOf, type DestinationDraft } from './destination.tsx'
import { Limits } from './limits-page.tsx'
import { destinationText } from './state.tsx'

export function NewWithdrawal() {
  const words = useWords(withdrawalWords)
  const { id } = useMerchant()
  const wallets = useWallets()
  const back = { to: `/m/${id}/withdrawals`, label: words.title }
  return (
    <>
      <PageHeader title={words.create} back={back} lead={words.createLead} />
      <Loaded of={wallets}>
        {(all) => (
          <div className="max-w-150">
            <Steps wallets={all} />
          </div>
        )}
      </Loaded>
    </>
  )
}

function Steps({ wallets }: { readonly wallets: readonly Wallet[] }) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const navigate = useNavigate()
  const { id } = useMerchant()
  const draft = useKeptDraft('withdrawal', blank)
  const act = useAct([], draft)
  const [reviewed, setReviewed] = useState<Reviewed>()
  // What is wrong is shown in the form, at its field.
  useEffect(() => {
    if (isAtField(act.error)) setReviewed(undefined)
  }, [act.error])
  const show = (withdrawalId: string, said: string) => {
    toast(said)
    void navigate({ to: `/m/${id}/withdrawals/${withdrawalId}` })
  }
  const review = async (order: Order) => {
    const found = await act.ask('reviewWithdrawal', { body: bodyOf(order) })
    if (found === undefined) return
    if (found.isMade !== true) return setReviewed({ order, found })
    draft.reset()
    show(found.outcome.id, words.madeBefore)
  }
  const request = async (order: Order) => {
    const made = await act.ask('createWithdrawal', { body: bodyOf(order) })
    if (made !== undefined) show(made.id, words.createDone(format.money(made.amount, made.currency)))
  }
  if (reviewed !== undefined)
    return (
      <Review
        reviewed={reviewed}
        act={act}
        onBack={() => setReviewed(undefined)}
        onRequest={() => void request(reviewed.order)}
      />
    )
  return <OrderForm wallets={wallets} draft={draft} act={act} onReview={(order) => void review(order)} />
}

function bodyOf({ destination, wallet, minor, note }: Order): Body<'createWithdrawal'> {
  return {
    ...destination,
    amount: minor,
    currency: wallet.currency,
    walletId: wallet.id,
    ...(note === '' ? {} : { description: note }),
  }
}

const fields = [
  'pixKey',
  'pixKeyType',
  'cryptoAddress',
  'iban',
  'beneficiary',
  'walletId',
  'amount',
  'description',
]

/** Whether a field of the form says why it was refused. */
function isAtField(error: unknown): boolean {
  return codeOf(error) === 'insufficient_funds' || fields.some((name) => faultOf(error, name) !== undefined)
}

// The review of a withdrawal before it is requested.

function Review({
  reviewed: { order, found },
  act,
  onBack,
  onRequest,
}: {
  readonly reviewed: Reviewed
  readonly act: Act
  readonly onBack: () => void
  readonly onRequest: () => void
}) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const { minor, wallet } = order
  const { currency } = wallet
  const query = { type: order.destination.type, currency, amount: String(minor) }
  const { data: terms } = useRead('getWithdrawalTerms', { query, of: ['wallets', 'terms'] })
  const { outcome, approvers } = found
  return (
    <Card title={words.reviewTitle}>
      <div className="flex flex-col gap-4">
        <Receives order={order} />
        <Sums order={order} outcome={outcome} />
        {terms?.limit !== undefined && <Limits limit={terms.limit} currency={currency} />}
        {approvers === undefined ? (
          <Notice tone="calm">{words.goesNow}</Notice>
        ) : (
          <Approvers names={approvers} />
        )}
        {act.error instanceof ProblemError && <FormFault error={act.error} />}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={onBack}>{words.back}</Button>
          <Button variant="primary" busy={act.isBusy} onClick={onRequest}>
            {words.createDo(format.money(minor, currency))}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** How much arrives, and where: the two things that cannot be undone, so they come first and large. */
function Receives({ order: { destination, wallet, minor } }: { readonly order: Order }) {
  const words = useWords(withdrawalWords)
  const { type, pixKeyType, beneficiary } = destination
  const kind = beneficiary ?? (pixKeyType === undefined ? words.types[type] : words.keyTypes[pixKeyType])
  return (
    <div>
      <p className="text-13 text-ink-soft">{words.receives}</p>
      <Money
        minor={minor}
        currency={wallet.currency}
        className="text-40 font-strong tracking-tight phone:text-28"
      />
      <p className="mt-1 text-13">
        <span className="text-ink-soft">{kind}</span>{' '}
        <span className={`break-all ${type === 'PIX' ? '' : 'font-mono'}`}>
          {destinationText(destination)}
        </span>
      </p>
    </div>
  )
}

/** What leaves the wallet, and what stays in it. */
function Sums({
  order: { wallet, note },
  outcome: { amount, fee, totalDebited },
}: {
  readonly order: Order
  readonly outcome: ReviewWithdrawalAnswer['outcome']
}) {
  const words = useWords(withdrawalWords)
  const sum = sumsIn(wallet.currency)
  return (
    <InsetFacts
      items={[
        [words.amount, sum(amount)],
        [words.fee, sum(fee)],
        [words.total, sum(totalDebited, true)],
        [words.wallet, wallet.label],
        [words.remains, sum(BigInt(wallet.balance) - BigInt(totalDebited))],
        note !== '' && [words.noteShort, note],
      ]}
    />
  )
}

// The first step of a new withdrawal: to where, from which wallet, and how much.

function OrderForm({
  wallets,
  draft,
  act: { error, isBusy },
  onReview,
}: {
  readonly wallets: readonly Wallet[]
  readonly draft: Draft<OrderDraft>
  readonly act: Act
  readonly onReview: (order: Order) => void
}) {
  const words = useWords(withdrawalWords)
  const { locale } = useReader()
  const [wasTried, setTried] = useState(false)
  const { values, put } = draft
  const payers = payersOf(wallets, values)
  const wallet = payerOf(payers, values)
  const minor = wallet === undefined ? undefined : payableOf(values.text, locale, wallet)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const destination = destinationOf(values)
    if (wallet !== undefined && minor !== undefined && destination !== undefined && !isBusy)
      onReview({ destination, wallet, minor, note: values.note.trim() })
  }
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-5 pt-1" noValidate>
        <DestinationFields draft={values} onChange={put} error={error} wasTried={wasTried} />
        <Fields
          draft={{ ...draft, values: { ...values, walletId: wallet?.id ?? '' } }}
          error={error}
          wasTried={wasTried}
          items={useOrderItems(payers, wallet, minor)}
        />
        {!isAtField(error) && <FormFault error={error} />}
        <div className="flex justify-end">
          <Button type="submit" variant="primary" busy={isBusy} className="max-sm:w-full">
            {words.review}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Which of the payers pays, and how much: `minor`, where it can be paid. */
function useOrderItems(
  payers: readonly Wallet[],
  wallet: Wallet | undefined,
  minor: bigint | undefined,
): readonly Item<OrderDraft>[] {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const refused = useAmountRefusal(wallet?.currency ?? '')
  const most = wallet === undefined ? '' : format.money(wallet.balance, wallet.currency)
  const optionOf = ({ id, label, balance, currency }: Wallet) => ({
    value: id,
    label: `${label} · ${format.money(balance, currency)}`,
  })
  return [
    payers.length > 1 && { name: 'walletId', label: words.wallet, options: payers.map(optionOf) },
    wallet === undefined || !payers.some(isFilled) ? (
      <Notice key="none" tone="calm">
        {words.noWallet}
      </Notice>
    ) : (
      // The most that the wallet can pay is named before something wrong is written, and after it.
      {
        name: 'text',
        at: 'amount',
        label: words.amount,
        help: words.walletHelp(most),
        currency: wallet.currency,
        wrong: minor === undefined && words.amountWrong(most),
        refused,
      }
    ),
    { name: 'note', at: 'description', label: words.note, maxLength: 140 },
  ]
}

/** What the balance or the limits leave, where they do not leave this amount. */
function useAmountRefusal(currency: string): (error: unknown) => string | undefined {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  return (error) => {
    if (!(error instanceof ProblemError)) return undefined
    const { code, missing, left } = error.problem
    if (code === 'insufficient_funds' && missing !== undefined)
      return words.notEnough(format.money(missing, currency))
    return code === 'limit_exceeded' && left !== undefined
      ? words.overLimit(format.money(left, currency))
      : undefined
  }
}

// What a new withdrawal is while it is written, and once it can be reviewed. The form and the review share it.

/** What is reviewed, and then sent. */
type Order = {
  readonly destination: Destination
  readonly wallet: Wallet
  readonly minor: bigint
  readonly note: string
}

type Reviewed = { readonly order: Order; readonly found: ReviewWithdrawalAnswer }

const blank = { ...emptyDestination, walletId: '', text: '', note: '' }

/** What is written so far. It outlives the form, so that a way back from the review and a reload find it again. */
type OrderDraft = DestinationDraft & {
  readonly walletId: string
  readonly text: string
  readonly note: string
}

/** The wallets that can pay such a destination. */
export function payersOf(
  wallets: readonly Wallet[],
  { type }: Pick<DestinationDraft, 'type'>,
): readonly Wallet[] {
  return wallets.filter(
    (each) => each.currency === currencyOfType[type] && each.walletType === 'SPENDABLE' && each.isActive,
  )
}

/** The chosen wallet. Until the user chooses: the first wallet with a balance, or any wallet when all are empty. */
function payerOf(payers: readonly Wallet[], { walletId }: OrderDraft): Wallet | undefined {
  return payers.find(({ id }) => id === walletId) ?? payers.find(isFilled) ?? payers[0]
}

/** The written amount; undefined when the wallet cannot pay it. */
function payableOf(text: string, locale: Locale, wallet: Wallet): bigint | undefined {
  const minor = minorOf(text, locale)
  return minor !== undefined && minor > 0n && minor <= BigInt(wallet.balance) ? minor : undefined
}

function isFilled({ balance }: Wallet): boolean {
  return BigInt(balance) > 0n
}
