// A new withdrawal in two steps: what and to where; then a review that names amount, fee, destination and what stays.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type FormEvent } from 'react'
import type { Locale } from '#/kernel/language.ts'
import { useAct, type Act } from '../../api/act.ts'
import type { Wallet } from '../../api/generated.ts'
import { codeOf, faultOf, ProblemError } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets } from '../../api/wallets.ts'
import { currencyOfType, type Destination } from '../../api/withdrawals.ts'
import { Button } from '../../kit/button.tsx'
import { InsetFacts, sumsIn } from '../../kit/facts.tsx'
import { Loaded, Fault, FormFault } from '../../kit/fault.tsx'
import { Fields, type Item } from '../../kit/form.tsx'
import { type Minor, minorOf } from '../../kit/format.ts'
import { LoadingLine } from '../../kit/loading.tsx'
import { Money } from '../../kit/money.tsx'
import { PageHeader, Card, Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords, useReader } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { emptyDestination, DestinationFields, destinationOf, type DestinationDraft } from './destination.tsx'
import { Limits, overOf, type OverLimit } from './limits-page.tsx'
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
  const act = useAct()
  const [draft, setDraft] = useState<OrderDraft>({ to: emptyDestination, walletId: '', text: '', note: '' })
  const [order, setOrder] = useState<Order>()
  // What is wrong with a field is shown beside it.
  useEffect(() => {
    if (codeOf(act.error) === 'invalid_request' && fields.some((name) => faultOf(act.error, name)))
      setOrder(undefined)
  }, [act.error])
  const request = async ({ destination, wallet, minor, note }: Order) => {
    const made = await act.ask('createWithdrawal', {
      body: {
        ...destination,
        amount: minor,
        currency: wallet.currency,
        walletId: wallet.id,
        ...(note === '' ? {} : { description: note }),
      },
    })
    if (made === undefined) return
    toast(words.createDone(format.money(minor, wallet.currency)))
    void navigate({ to: `/m/${id}/withdrawals/${made.id}` })
  }
  if (order !== undefined)
    return (
      <Review
        order={order}
        act={act}
        onBack={() => setOrder(undefined)}
        onRequest={() => void request(order)}
      />
    )
  return (
    <OrderForm wallets={wallets} draft={draft} onDraft={setDraft} error={act.error} onReview={setOrder} />
  )
}

const fields = ['pixKey', 'pixKeyType', 'cryptoAddress', 'iban', 'beneficiary', 'description']

// The review of a withdrawal before it is requested.

function Review({
  order,
  act,
  onBack,
  onRequest,
}: {
  readonly order: Order
  readonly act: Act
  readonly onBack: () => void
  readonly onRequest: () => void
}) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const { destination, wallet, minor } = order
  const { currency } = wallet
  const query = { type: destination.type, currency, amount: String(minor) }
  const { data: terms, error, refetch } = useRead('getWithdrawalTerms', { query, of: ['wallets', 'terms'] })
  if (terms === undefined)
    return error === null ? <LoadingLine isOn /> : <Fault error={error} onRetry={() => void refetch()} />
  const total = minor + BigInt(terms.fee)
  const remains = BigInt(wallet.balance) - total
  const over = terms.limit === undefined ? undefined : overOf(terms.limit, minor)
  return (
    <Card title={words.reviewTitle}>
      <div className="flex flex-col gap-4">
        <Receives order={order} />
        <Sums order={order} fee={terms.fee} total={total} remains={remains} />
        {terms.limit !== undefined && <Limits limit={terms.limit} currency={currency} />}
        <Outlook remains={remains} over={over} currency={currency} needsApproval={terms.needsApproval} />
        <Refusal error={act.error} />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={onBack}>{words.back}</Button>
          <Button
            variant="primary"
            busy={act.isBusy}
            disabled={remains < 0n || over !== undefined}
            onClick={onRequest}
          >
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
  order: { wallet, minor, note },
  fee,
  total,
  remains,
}: {
  readonly order: Order
  readonly fee: Minor
  readonly total: bigint
  readonly remains: bigint
}) {
  const words = useWords(withdrawalWords)
  const sum = sumsIn(wallet.currency)
  return (
    <InsetFacts
      items={[
        [words.amount, sum(minor)],
        [words.fee, sum(fee)],
        [words.total, sum(total, true)],
        [words.wallet, wallet.label],
        [words.remains, sum(remains)],
        note !== '' && [words.noteShort, note],
      ]}
    />
  )
}

/** What a request would come to. Only the first reason against it is named: each alone is enough. */
function Outlook({
  remains,
  over,
  currency,
  needsApproval,
}: {
  readonly remains: bigint
  readonly over: OverLimit | undefined
  readonly currency: string
  readonly needsApproval: boolean
}) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  if (remains < 0n) return <Notice tone="bad">{words.notEnough(format.money(-remains, currency))}</Notice>
  if (over !== undefined) {
    const most = format.money(over.minor, currency)
    return <Notice tone="bad">{over.isDay ? words.overDay(most) : words.overEach(most)}</Notice>
  }
  return (
    <Notice tone={needsApproval ? 'wait' : 'calm'}>
      {needsApproval ? words.needsApproval : words.goesNow}
    </Notice>
  )
}

/** Why the request was refused. A destination that is not listed has words that say what to do. */
function Refusal({ error }: { readonly error: unknown }) {
  const words = useWords(withdrawalWords)
  if (codeOf(error) === 'destination_not_allowed') return <Notice tone="bad">{words.notListed}</Notice>
  return error instanceof ProblemError && <FormFault error={error} />
}

// The first step of a new withdrawal: to where, from which wallet, and how much.

function OrderForm({
  wallets,
  draft,
  onDraft,
  error,
  onReview,
}: {
  readonly wallets: readonly Wallet[]
  readonly draft: OrderDraft
  readonly onDraft: (draft: OrderDraft) => void
  readonly error: unknown
  readonly onReview: (order: Order) => void
}) {
  const words = useWords(withdrawalWords)
  const { locale } = useReader()
  const [wasTried, setTried] = useState(false)
  const { to, text, note } = draft
  const payers = payersOf(wallets, draft)
  const wallet = payerOf(payers, draft)
  const minor = wallet === undefined ? undefined : payableOf(text, locale, wallet)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const destination = destinationOf(to)
    if (wallet !== undefined && minor !== undefined && destination !== undefined)
      onReview({ destination, wallet, minor, note: note.trim() })
  }
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-5 pt-1" noValidate>
        <DestinationFields
          draft={to}
          onChange={(next) => onDraft({ ...draft, to: next })}
          error={error}
          wasTried={wasTried}
        />
        <Fields
          draft={{
            values: { ...draft, walletId: wallet?.id ?? '' },
            put: (changes) => onDraft({ ...draft, ...changes }),
            reset: () => undefined,
          }}
          error={error}
          wasTried={wasTried}
          items={useOrderItems(payers, wallet, minor)}
        />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" className="max-sm:w-full">
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
        at: '',
        label: words.amount,
        help: words.walletHelp(most),
        currency: wallet.currency,
        wrong: minor === undefined && words.amountWrong(most),
      }
    ),
    { name: 'note', at: 'description', label: words.note, maxLength: 140 },
  ]
}

// What a new withdrawal is while it is written, and once it can be reviewed. The form and the review share it.

/** What is reviewed, and then sent. */
type Order = {
  readonly destination: Destination
  readonly wallet: Wallet
  readonly minor: bigint
  readonly note: string
}

/** What is written so far. It outlives the form, so that a way back from the review finds it again. */
type OrderDraft = {
  readonly to: DestinationDraft
  readonly walletId: string
  readonly text: string
  readonly note: string
}

/** The wallets that can pay such a destination. */
export function payersOf(wallets: readonly Wallet[], { to }: Pick<OrderDraft, 'to'>): readonly Wallet[] {
  return wallets.filter(
    (each) => each.currency === currencyOfType[to.type] && each.walletType === 'SPENDABLE' && each.isActive,
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
