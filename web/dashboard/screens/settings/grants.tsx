// The transfer grants of a sub-account: its people let its parent take money from its wallets, and end that.
import { useMerchant } from '../../api/session.ts'
import { walletCurrencies } from '../../api/wallets.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { startOfDay } from '../../kit/days.ts'
import { useDraft } from '../../kit/form.tsx'
import { minorOf } from '../../kit/format.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { grantWords } from '../../words/transfer-grants.ts'
import { GrantList } from '../sub-accounts/grants.tsx'
import { SettingsFrame } from './frame.tsx'

export function Grants() {
  const words = useWords(grantWords)
  const { may } = useMerchant()
  const mayDecide = may('withdrawals:write')
  return (
    <SettingsFrame isWide>
      <GrantList
        lead={words.ownLead}
        none={words.ownNone}
        action={mayDecide && <Give />}
        actionOf={(grant) =>
          mayDecide &&
          grant.status === 'ACTIVE' && (
            <ActionButton
              call="revokeTransferGrant"
              id={grant.id}
              title={words.revokeTitle}
              lead={words.revokeLead}
              act={words.revoke}
              isDanger
              done={words.revokeDone}
            />
          )
        }
      />
    </SettingsFrame>
  )
}

function Give() {
  const words = useWords(grantWords)
  const { locale, timeZone } = useReader()
  const draft = useDraft({
    currency: walletCurrencies[0] as (typeof walletCurrencies)[number],
    most: '',
    lastDay: '',
    description: '',
  })
  const { currency, most, lastDay, description } = draft.values
  const minor = most.trim() === '' ? undefined : minorOf(most, locale)
  const isAmountGood = most.trim() === '' || (minor !== undefined && minor > 0n)
  const expiresAt = lastDay === '' ? undefined : startOfDay(lastDay, 1, timeZone)
  const isGood = isAmountGood && (minor !== undefined || expiresAt !== undefined)
  return (
    <ActionButton
      variant="primary"
      opener={{ icon: 'plus' }}
      call="createTransferGrant"
      title={words.give}
      lead={words.giveLead}
      act={words.give}
      draft={draft}
      fields={[
        { name: 'currency', label: words.currency, options: walletCurrencies },
        {
          name: 'most',
          at: 'maxAmount',
          label: words.most,
          currency,
          autoFocus: true,
          wrong: !isGood && words.mostWrong,
        },
        { name: 'lastDay', at: 'expiresAt', label: words.lastDay, isDate: true },
        { name: 'description', label: words.description, maxLength: 200, autoComplete: 'off' },
      ]}
      body={() => ({ currency, maxAmount: minor, expiresAt, description: description.trim() || undefined })}
      done={words.giveDone}
    />
  )
}
