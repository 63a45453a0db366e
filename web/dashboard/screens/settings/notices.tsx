// What comes to the member by mail, and whether the merchant's payers get receipts.
import { useId } from 'react'
import { useAct } from '../../api/act.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { FormFault, Loaded } from '../../kit/fault.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { noticeWords } from '../../words/notices.ts'
import { useWords } from '../../words/reader.ts'
import { SettingsFrame } from './frame.tsx'

type Kind = keyof (typeof noticeWords)['en']['kinds']

/** What a role needs to get each notice. */
const needs: Readonly<Record<Kind, string>> = {
  WITHDRAWAL_APPROVAL: 'withdrawals:approve',
  DISPUTE_OPENED: 'payments:write',
  DISPUTE_DUE: 'payments:write',
  ENDPOINT_FAILING: 'webhooks:write',
  ENDPOINT_DISABLED: 'webhooks:write',
  KEY_EXPIRING: 'keys:write',
}

export function NoticesPage() {
  const words = useWords(noticeWords)
  const { mode, may } = useMerchant()
  const act = useAct()
  return (
    <SettingsFrame>
      <Loaded of={useRead('getMail')}>
        {(data) => (
          <>
            {!data.canSend && <Notice>{words.noServer}</Notice>}
            <Card title={words.title}>
              <p className="pb-2 text-13 text-ink-soft">{words.lead}</p>
              <ul className="flex flex-col">
                {data.notices.map(({ kind, isOn }) => (
                  <li key={kind}>
                    <Choice
                      label={words.kinds[kind]}
                      {...(may(needs[kind]) ? {} : { help: words.notAllowed })}
                      isOn={isOn && may(needs[kind])}
                      isBusy={act.isBusy || !may(needs[kind])}
                      onChange={(next) => void act.send('chooseNotice', { body: { kind, isOn: next } })}
                    />
                  </li>
                ))}
              </ul>
              <p className="pt-2 text-13 text-ink-soft">{words.always}</p>
            </Card>
            {may('profile:write') && (
              <Card title={words.receipts}>
                <Choice
                  label={words.receiptsLabel}
                  help={mode === 'SANDBOX' ? `${words.receiptsHelp} ${words.sandbox}` : words.receiptsHelp}
                  isOn={data.receipts}
                  isBusy={act.isBusy}
                  onChange={(isOn) => void act.send('chooseReceipts', { body: { isOn } })}
                />
              </Card>
            )}
            <FormFault error={act.error} />
          </>
        )}
      </Loaded>
    </SettingsFrame>
  )
}

function Choice({
  label,
  help,
  isOn,
  isBusy,
  onChange,
}: {
  readonly label: string
  readonly help?: string
  readonly isOn: boolean
  readonly isBusy: boolean
  readonly onChange: (isOn: boolean) => void
}) {
  const id = useId()
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 py-2 text-13">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={isOn}
        disabled={isBusy}
        {...(help === undefined ? {} : { 'aria-describedby': id })}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0">
        {label}
        {help !== undefined && (
          <span id={id} className="block text-ink-soft">
            {help}
          </span>
        )}
      </span>
    </label>
  )
}
