// Adds a connection, or replaces one: a form that is made from the schema of its type.
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useAct } from '../../api/act.ts'
import { useParam } from '../../api/address.ts'
import type { ConnectionForm, Mode } from '../../api/generated.ts'
import type { WholeConnection } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/operator.ts'
import { faultOf } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { FormFault, LoadingOrFault } from '../../kit/fault.tsx'
import { RadioCards, TextField } from '../../kit/field.tsx'
import { Card, Notice, PageHeader } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { operatorConnectionWords } from '../../words/operator-connections.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { partOf, SchemaFields, textsOf, type Texts } from './connection-fields.tsx'
import { CheckLine, useMethodName } from './parts.tsx'

const list = '/operator/connections'

export function NewConnection() {
  const words = useWords(operatorConnectionWords)
  const nameOf = useMethodName()
  const { data, error, refetch } = useRead('listConnectionTypes')
  const [chosen, setChosen] = useState<string>()
  const form = data?.data.find(({ name }) => name === chosen) ?? data?.data[0]
  return (
    <FormFrame title={words.addTitle} lead={words.addLead} back={{ to: list, label: words.title }}>
      {form === undefined ? (
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Card>
            <SelectField
              label={words.type}
              help={words.typeLead(form.page)}
              value={form.name}
              onChange={(event) => setChosen(event.target.value)}
              options={(data?.data ?? []).map(({ name, method }) => ({ value: name, label: nameOf(method) }))}
            />
          </Card>
          <PartsForm key={form.name} form={form} />
        </>
      )}
    </FormFrame>
  )
}

export function ReplaceConnection() {
  const words = useWords(operatorConnectionWords)
  const id = useParam('id')
  const types = useRead('listConnectionTypes')
  const one = useRead('getConnection', { id })
  const form = types.data?.data.find(({ method }) => method === one.data?.method)
  const retry = () => {
    void types.refetch()
    void one.refetch()
  }
  return (
    <FormFrame
      title={words.replace}
      lead={words.replaceLead}
      back={{ to: `${list}/${id}`, label: words.connection }}
    >
      {one.data?.hasType === false ? (
        <Notice tone="calm">{words.isChain}</Notice>
      ) : form === undefined || one.data === undefined ? (
        <LoadingOrFault error={types.error ?? one.error} onRetry={retry} />
      ) : (
        <PartsForm form={form} present={one.data} />
      )}
    </FormFrame>
  )
}

function FormFrame({
  title,
  lead,
  back,
  children,
}: {
  readonly title: string
  readonly lead: string
  readonly back: { readonly to: string; readonly label: string }
  readonly children: ReactNode
}) {
  const words = useWords(operatorWords)
  const may = useMayOperate()
  return (
    <>
      <PageHeader title={title} lead={lead} back={back} />
      <div className="flex max-w-170 flex-col gap-6 phone:gap-4">
        {may('write') ? children : <Notice tone="calm">{words.noMayWrite}</Notice>}
      </div>
    </>
  )
}

function useForm(form: ConnectionForm, present: WholeConnection | undefined) {
  const words = useWords(operatorConnectionWords)
  const { isSandboxHere } = useSession()
  const act = useAct()
  const navigate = useNavigate()
  const [provider, setProvider] = useState(present?.provider ?? form.providers[0] ?? '')
  const [owner, setOwner] = useState<'all' | 'one'>('all')
  const [mode, setMode] = useState<Mode>(isSandboxHere ? 'SANDBOX' : 'LIVE')
  const [merchantId, setMerchantId] = useState('')
  const [settings, setSettings] = useState(() => textsOf(form.settings, present?.settings))
  const [secrets, setSecrets] = useState(() => textsOf(form.secrets))
  const [refundSecrets, setRefundSecrets] = useState(() => textsOf(form.refundSecrets ?? {}))
  const [refunds, setRefunds] = useState(present?.canRefund ?? false)
  const [reason, setReason] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const parts = {
      provider,
      settings: partOf(form.settings, settings),
      secrets: partOf(form.secrets, secrets),
      ...(refunds && form.refundSecrets !== undefined
        ? { refundSecrets: partOf(form.refundSecrets, refundSecrets) }
        : {}),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    }
    const whose = owner === 'one' ? { merchantId: merchantId.trim() } : { mode }
    const made =
      present === undefined
        ? await act.ask('addConnection', { body: { type: form.name, ...whose, ...parts } })
        : await act.ask('replaceConnection', { id: present.id, body: parts })
    if (made === undefined) return
    toast(present === undefined ? words.added : words.replaced)
    void navigate({ to: `${list}/${made.id}` })
  }
  return {
    provider,
    setProvider,
    owner,
    setOwner,
    mode,
    setMode,
    merchantId,
    setMerchantId,
    settings,
    setSettings,
    secrets,
    setSecrets,
    refundSecrets,
    setRefundSecrets,
    refunds,
    setRefunds,
    reason,
    setReason,
    act,
    submit,
  }
}

function PartsForm({ form, present }: { readonly form: ConnectionForm; readonly present?: WholeConnection }) {
  const words = useWords(operatorConnectionWords)
  const shared = useWords(operatorWords)
  const state = useForm(form, present)
  const { error } = state.act
  const part = (
    name: 'settings' | 'secrets' | 'refundSecrets',
    texts: Texts,
    onChange: (texts: Texts) => void,
  ) => (
    <SchemaFields
      part={name}
      schema={form[name] ?? {}}
      texts={texts}
      onChange={onChange}
      error={error}
      isSecret={name !== 'settings'}
    />
  )
  return (
    <form
      onSubmit={(event) => void state.submit(event)}
      className="flex flex-col gap-6 phone:gap-4"
      noValidate
    >
      {present === undefined && <Owner {...state} />}
      <Card title={words.settings}>
        <div className="flex flex-col gap-4">
          <SelectField
            label={words.provider}
            value={state.provider}
            fault={faultOf(error, 'provider')}
            onChange={(event) => state.setProvider(event.target.value)}
            options={form.providers.map((value) => ({ value, label: value }))}
          />
          {part('settings', state.settings, state.setSettings)}
        </div>
      </Card>
      <Card title={words.secrets}>
        <div className="flex flex-col gap-4">{part('secrets', state.secrets, state.setSecrets)}</div>
      </Card>
      {form.refundSecrets !== undefined && (
        <Refunds isOn={state.refunds} onSwitch={state.setRefunds}>
          {part('refundSecrets', state.refundSecrets, state.setRefundSecrets)}
        </Refunds>
      )}
      <TextField
        label={shared.reasonMaybe}
        help={shared.reasonHelp}
        maxLength={500}
        value={state.reason}
        onChange={(event) => state.setReason(event.target.value)}
      />
      <FormFault error={error} />
      <div className="flex flex-wrap justify-end gap-2">
        <ButtonLink to={present === undefined ? list : `${list}/${present.id}`}>{shared.back}</ButtonLink>
        <Button type="submit" variant="primary" busy={state.act.isBusy}>
          {present === undefined ? words.add : words.replace}
        </Button>
      </div>
    </form>
  )
}

function Owner(state: ReturnType<typeof useForm>) {
  const words = useWords(operatorConnectionWords)
  const shared = useWords(operatorWords)
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <RadioCards
          legend={words.forWhom}
          value={state.owner}
          onChange={state.setOwner}
          options={[
            { value: 'all', label: words.forAll },
            { value: 'one', label: words.forOne },
          ]}
        />
        {state.owner === 'all' ? (
          <SelectField
            label={shared.mode}
            value={state.mode}
            onChange={(event) => state.setMode(event.target.value as Mode)}
            options={[
              { value: 'SANDBOX', label: shared.modes.SANDBOX },
              { value: 'LIVE', label: shared.modes.LIVE },
            ]}
          />
        ) : (
          <TextField
            label={words.merchantId}
            className="font-mono"
            value={state.merchantId}
            fault={faultOf(state.act.error, 'merchantId')}
            onChange={(event) => state.setMerchantId(event.target.value)}
          />
        )}
      </div>
    </Card>
  )
}

/** Most connections only receive money, so the fields for sending money are shown only on request. */
function Refunds({
  isOn,
  onSwitch,
  children,
}: {
  readonly isOn: boolean
  readonly onSwitch: (isOn: boolean) => void
  readonly children: ReactNode
}) {
  const words = useWords(operatorConnectionWords)
  return (
    <Card title={words.refundSecrets}>
      <p className="mb-2 text-13 text-ink-soft">{words.refundSecretsLead}</p>
      <CheckLine label={words.hasRefunds} isOn={isOn} onSwitch={onSwitch} />
      {isOn && <div className="mt-2 flex flex-col gap-4">{children}</div>}
    </Card>
  )
}
