// The first step of a new withdrawal: to where, from which wallet, and how much.
import { useState, type FormEvent } from 'react'
import type { Locale } from '#/kernel/language.ts'
import type { Wallet } from '../../api/generated.ts'
import { currencyOfType, type Destination } from '../../api/withdrawals.ts'
import { Button } from '../../kit/button.tsx'
import { Fields } from '../../kit/form.tsx'
import { minorOf } from '../../kit/format.ts'
import { Card, Notice } from '../../kit/page.tsx'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { DestinationFields, destinationOf, type DestinationDraft } from './destination.tsx'

export function OrderForm({
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
  const format = useFormat()
  const { to, text, note } = draft
  const payers = payersOf(wallets, draft)
  const wallet = payerOf(payers, draft)
  const minor = wallet === undefined ? undefined : payableOf(text, locale, wallet)
  const most = format.money(wallet?.balance ?? 0, currencyOfType[to.type])
  const optionOf = ({ id, label, balance, currency }: Wallet) => ({
    value: id,
    label: `${label} · ${format.money(balance, currency)}`,
  })
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
          items={[
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
                currency: currencyOfType[to.type],
                wrong: minor === undefined && words.amountWrong(most),
              }
            ),
            { name: 'note', at: 'description', label: words.note, maxLength: 140 },
          ]}
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

// What a new withdrawal is while it is written, and once it can be reviewed. The form and the review share it.

/** What is reviewed, and then sent. */
export type Order = {
  readonly destination: Destination
  readonly wallet: Wallet
  readonly minor: bigint
  readonly note: string
}

/** What is written so far. It outlives the form, so that a way back from the review finds it again. */
export type OrderDraft = {
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
