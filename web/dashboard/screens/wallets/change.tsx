// Opens a wallet; renames one, or makes it inactive or active again.
import { useState } from 'react'
import { walletTypes, type Wallet, type WalletType } from '../../api/generated.ts'
import { walletCurrencies } from '../../api/wallets.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { useDraft } from '../../kit/form.tsx'
import { useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'

export function ChangeWalletDialog({
  wallet,
  onClose,
}: {
  readonly wallet: Wallet
  readonly onClose: () => void
}) {
  const words = useWords(walletWords)
  const draft = useDraft({ label: wallet.label })
  const [isActive, setActive] = useState(wallet.isActive)
  const label = draft.values.label.trim()
  return (
    <ActionDialog
      call="changeWallet"
      id={wallet.id}
      title={words.changeTitle}
      act={words.changeDo}
      draft={draft}
      fields={[
        {
          name: 'label',
          label: words.name,
          help: words.nameHelp,
          maxLength: 100,
          autoFocus: true,
          autoComplete: 'off',
          fault: label === '' ? words.nameWrong : undefined,
        },
        wallet.isDefault ? (
          <p key="active" className="text-13 text-ink-soft">
            {words.activeDefault}
          </p>
        ) : (
          <label
            key="active"
            className="flex min-h-11 items-start gap-3 rounded-control border border-line px-3 py-2.5 text-13"
          >
            <input
              type="checkbox"
              className="mt-1 size-4 shrink-0 accent-accent"
              checked={isActive}
              onChange={(event) => setActive(event.target.checked)}
            />
            <span>
              <span className="block font-strong">{words.active}</span>
              <span className="block text-ink-soft">{words.activeHelp}</span>
            </span>
          </label>
        ),
      ]}
      body={() => (wallet.isDefault ? { label } : { label, isActive })}
      done={words.changed}
      onClose={onClose}
    />
  )
}

// Opens a wallet.

export function CreateWalletDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(walletWords)
  const draft = useDraft({
    label: '',
    currency: 'BRL' as (typeof walletCurrencies)[number],
    walletType: 'SPENDABLE' as WalletType,
  })
  const label = draft.values.label.trim()
  return (
    <ActionDialog
      call="createWallet"
      title={words.create}
      lead={words.createLead}
      act={words.createDo}
      draft={draft}
      fields={[
        {
          name: 'label',
          label: words.name,
          help: words.nameHelp,
          maxLength: 100,
          autoFocus: true,
          autoComplete: 'off',
          wrong: label === '' && words.nameWrong,
        },
        { name: 'currency', label: words.currency, options: walletCurrencies },
        {
          name: 'walletType',
          label: words.type,
          cards: walletTypes.map((value) => ({
            value,
            label: words.types[value],
            help: words.typeHelp[value],
          })),
        },
      ]}
      body={() => ({ ...draft.values, label })}
      done={words.created(label)}
      onClose={onClose}
    />
  )
}
