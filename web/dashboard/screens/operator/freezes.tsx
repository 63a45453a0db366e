// What is frozen or suspended: what that means, by whom and why. All money, or one method of it, is frozen and lifted here.
import { useState } from 'react'
import { descriptorOf } from '#/rails/methods.ts'
import { paymentMethods, type PaymentMethod } from '../../api/generated.ts'
import type { ListedFreeze } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/operator.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { RadioCards } from '../../kit/field.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { oneOf, SelectField } from '../../kit/select.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { operatorFreezeWords } from '../../words/operator-freezes.ts'
import { useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { Line, useMethodName } from './parts.tsx'

export function FreezeList() {
  const words = useWords(operatorFreezeWords)
  const may = useMayOperate()
  const records = useRecords('listFreezes')
  const [isFreezing, setFreezing] = useState(false)
  const [lifting, setLifting] = useState<ListedFreeze>()
  const freeze = may('write') && (
    <Button variant="danger" icon="alert" onClick={() => setFreezing(true)}>
      {words.freeze}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} lead={words.lead} actions={freeze} />
      <RecordList
        records={records}
        words={{ title: words.of, none: words.none, noneLead: words.noneLead }}
        icon="checkCircle"
        line={(each) => <FreezeLine freeze={each} onLift={() => setLifting(each)} />}
      />
      {isFreezing && <FreezeDialog onClose={() => setFreezing(false)} />}
      {lifting !== undefined && <LiftDialog freeze={lifting} onClose={() => setLifting(undefined)} />}
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

function FreezeLine({ freeze, onLift }: { readonly freeze: ListedFreeze; readonly onLift: () => void }) {
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
          <Button onClick={onLift}>
            {words.lift}
            <span className="aside">: {name}</span>
          </Button>
        )
      )}
    </Line>
  )
}

/** Where nothing is sent back, there is nothing to freeze. SEPA_TRANSFER freezes payouts by SEPA too. */
const rails = paymentMethods.filter((method) => descriptorOf[method].refunds !== 'NONE')

function FreezeDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(operatorFreezeWords)
  const nameOf = useMethodName()
  const [what, setWhat] = useState<'one' | 'everything'>('one')
  const [rail, setRail] = useState<PaymentMethod>('PIX')
  return (
    <ActionDialog
      title={words.freezeTitle}
      lead={words.freezeLead}
      act={words.freeze}
      isDanger
      reason="needed"
      call="freezeMoney"
      body={() => (what === 'one' ? { rail } : {})}
      onAnswer={({ isNew, isEffective }) => {
        toast(isNew ? (isEffective ? words.done : words.doneSoon) : words.already)
        onClose()
      }}
      onClose={onClose}
    >
      {() => (
        <>
          <RadioCards
            legend={words.what}
            value={what}
            onChange={setWhat}
            options={[
              { value: 'one', label: words.one, help: words.oneHelp },
              { value: 'everything', label: words.everything, help: words.everythingHelp },
            ]}
          />
          {what === 'one' && (
            <SelectField
              label={words.rail}
              value={rail}
              onChange={(event) => setRail(oneOf(paymentMethods, event.target.value))}
              options={rails.map((value) => ({ value, label: nameOf(value) }))}
            />
          )}
        </>
      )}
    </ActionDialog>
  )
}

function LiftDialog({ freeze, onClose }: { readonly freeze: ListedFreeze; readonly onClose: () => void }) {
  const words = useWords(operatorFreezeWords)
  const scopeOf = useScopeName()
  return (
    <ActionDialog
      title={`${words.liftTitle}: ${scopeOf(freeze)}`}
      lead={words.liftLead}
      act={words.lift}
      reason="needed"
      call="unfreezeMoney"
      body={() => (freeze.rail === undefined ? {} : { rail: freeze.rail })}
      onAnswer={({ isStillFrozen }) => {
        toast(isStillFrozen ? words.liftedButOther : words.lifted)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
