// What is frozen or suspended: what that means, by whom and why. All money, or one method of it, is frozen and lifted here.
import { given } from '#/kernel/given.ts'
import { descriptorOf } from '#/rails/methods.ts'
import { paymentMethods, type PaymentMethod } from '../../api/generated.ts'
import type { ListedFreeze } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { named, useDraft } from '../../kit/form.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorFreezeWords } from '../../words/operator-freezes.ts'
import { useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Line, useMethodName } from './parts.tsx'

export function FreezeList() {
  const words = useWords(operatorFreezeWords)
  const may = useMayOperate()
  return (
    <>
      <PageHeader title={words.title} lead={words.lead} actions={may('write') && <Freeze />} />
      <RecordList
        records={useRecords('listFreezes')}
        words={{ title: words.of, none: words.none, noneLead: words.noneLead }}
        icon="checkCircle"
        line={(each) => <FreezeLine freeze={each} />}
      />
    </>
  )
}

/** What a freeze is of, in words. */
function useScopeName(): (freeze: ListedFreeze) => string {
  const words = useWords(operatorFreezeWords)
  const nameOf = useMethodName()
  return ({ merchantId, merchantName, rail }) => {
    if (merchantId !== undefined) return merchantName ?? merchantId
    return rail === undefined ? words.all : words.railOf(nameOf(rail))
  }
}

function FreezeLine({ freeze }: { readonly freeze: ListedFreeze }) {
  const words = useWords(operatorFreezeWords)
  const scopeOf = useScopeName()
  const may = useMayOperate()
  const { kind, merchantId, reason, decidedBy, at } = freeze
  const name = scopeOf(freeze)
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-60 break-words">
        <span className="flex flex-wrap items-center gap-2">
          <span className="text-15 font-strong">{name}</span>
          <Badge tone="bad" icon="alert">
            {words.kinds[kind]}
          </Badge>
        </span>
        <span className="block">{reason}</span>
        <span className="block text-ink-soft">{words.meaning[kind]}</span>
        <span className="block text-ink-soft">
          {decidedBy} · <Time at={at} />
        </span>
      </span>
      {merchantId !== undefined ? (
        <ButtonLink to={`/operator/merchants/${merchantId}`}>{words.atMerchant}</ButtonLink>
      ) : (
        // What a restore keeps in, only the command lets out.
        kind !== 'RESTORE' &&
        may('approve') && (
          <OperatorButton
            about={name}
            title={`${words.liftTitle}: ${name}`}
            lead={words.liftLead}
            act={words.lift}
            reason="needed"
            call="unfreezeMoney"
            body={() => given({ rail: freeze.rail })}
            done={({ isStillFrozen }) => (isStillFrozen ? words.liftedButOther : words.lifted)}
          />
        )
      )}
    </Line>
  )
}

/** Where nothing is sent back, there is nothing to freeze. SEPA_TRANSFER freezes payouts by SEPA too. */
const rails = paymentMethods.filter((method) => descriptorOf[method].refunds !== 'NONE')

function Freeze() {
  const words = useWords(operatorFreezeWords)
  const nameOf = useMethodName()
  const draft = useDraft<{ what: 'one' | 'everything'; rail: PaymentMethod }>({ what: 'one', rail: 'PIX' })
  const { what, rail } = draft.values
  return (
    <OperatorButton
      variant="danger"
      opener={{ icon: 'alert' }}
      title={words.freezeTitle}
      lead={words.freezeLead}
      act={words.freeze}
      reason="needed"
      call="freezeMoney"
      draft={draft}
      fields={[
        {
          name: 'what',
          label: words.what,
          cards: [
            { value: 'one', label: words.one, help: words.oneHelp },
            { value: 'everything', label: words.everything, help: words.everythingHelp },
          ],
        },
        what === 'one' && { name: 'rail', label: words.rail, options: named(rails, nameOf) },
      ]}
      body={() => (what === 'one' ? { rail } : {})}
      done={({ isNew, isEffective }) => (isNew ? (isEffective ? words.done : words.doneSoon) : words.already)}
    />
  )
}
