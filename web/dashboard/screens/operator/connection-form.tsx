// Adds a connection, or replaces one: a form that is made from the schema of its type.
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent, type ReactNode } from 'react'
import { given } from '#/kernel/given.ts'
import { useAct } from '../../api/act.ts'
import type { ConnectionForm, Mode } from '../../api/generated.ts'
import type { WholeConnection } from '../../api/operator-records.ts'
import { useRead } from '../../api/queries.ts'
import { useSession, useMayOperate, useParam } from '../../api/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { FormFault, LoadingOrFault } from '../../kit/fault.tsx'
import { SelectField } from '../../kit/field.tsx'
import { Fields, named, useDraft, type Item } from '../../kit/form.tsx'
import { Card, Notice, PageHeader } from '../../kit/page.tsx'
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

type Written = {
  readonly provider: string
  readonly owner: 'all' | 'one'
  readonly mode: Mode
  readonly merchantId: string
  readonly settings: Texts
  readonly secrets: Texts
  readonly refundSecrets: Texts
  readonly refunds: boolean
  readonly reason: string
}
type PartName = 'settings' | 'secrets' | 'refundSecrets'

function PartsForm({ form, present }: { readonly form: ConnectionForm; readonly present?: WholeConnection }) {
  const words = useWords(operatorConnectionWords)
  const shared = useWords(operatorWords)
  const { isSandboxHere } = useSession()
  const draft = useDraft(() => firstOf(form, present, isSandboxHere ? 'SANDBOX' : 'LIVE'))
  const { owner, refunds, ...texts } = draft.values
  const { act, send } = useSending(form, present, draft.values)
  const fields = (items: readonly Item<Written>[]) => <Fields draft={draft} error={act.error} items={items} />
  const part = (name: PartName) => (
    <SchemaFields
      part={name}
      schema={form[name] ?? {}}
      texts={texts[name]}
      onChange={(changed) => draft.put({ [name]: changed })}
      error={act.error}
      isSecret={name !== 'settings'}
    />
  )
  return (
    <form onSubmit={send} className="flex flex-col gap-6 phone:gap-4" noValidate>
      {present === undefined && (
        <Card>
          <div className="flex flex-col gap-4">
            {fields([
              {
                name: 'owner',
                label: words.forWhom,
                cards: named(['all', 'one'], { all: words.forAll, one: words.forOne }),
              },
              owner === 'all'
                ? { name: 'mode', label: shared.mode, options: named(['SANDBOX', 'LIVE'], shared.modes) }
                : { name: 'merchantId', label: words.merchantId, className: 'font-mono' },
            ])}
          </div>
        </Card>
      )}
      <Card title={words.settings}>
        <div className="flex flex-col gap-4">
          {fields([{ name: 'provider', label: words.provider, options: form.providers }])}
          {part('settings')}
        </div>
      </Card>
      <Card title={words.secrets}>
        <div className="flex flex-col gap-4">{part('secrets')}</div>
      </Card>
      {form.refundSecrets !== undefined && (
        <Refunds isOn={refunds} onSwitch={(isOn) => draft.put({ refunds: isOn })}>
          {part('refundSecrets')}
        </Refunds>
      )}
      {fields([{ name: 'reason', label: shared.reasonMaybe, help: shared.reasonHelp, maxLength: 500 }])}
      <FormFault error={act.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <ButtonLink to={present === undefined ? list : `${list}/${present.id}`}>{shared.back}</ButtonLink>
        <Button type="submit" variant="primary" busy={act.isBusy}>
          {present === undefined ? words.add : words.replace}
        </Button>
      </div>
    </form>
  )
}

function firstOf(form: ConnectionForm, present: WholeConnection | undefined, mode: Mode): Written {
  return {
    provider: present?.provider ?? form.providers[0] ?? '',
    owner: 'all',
    mode,
    merchantId: '',
    settings: textsOf(form.settings, present?.settings),
    secrets: textsOf(form.secrets),
    refundSecrets: textsOf(form.refundSecrets ?? {}),
    refunds: present?.canRefund ?? false,
    reason: '',
  }
}

/** Sends what is written: of a new connection, or in place of the present one. */
function useSending(form: ConnectionForm, present: WholeConnection | undefined, written: Written) {
  const words = useWords(operatorConnectionWords)
  const act = useAct()
  const navigate = useNavigate()
  const partsOf = (name: PartName) => partOf(form[name] ?? {}, written[name])
  const ask = async () => {
    const { provider, owner, mode, merchantId, refunds, reason } = written
    const parts = {
      provider,
      settings: partsOf('settings'),
      secrets: partsOf('secrets'),
      ...given({
        refundSecrets: refunds && form.refundSecrets !== undefined ? partsOf('refundSecrets') : undefined,
        reason: reason.trim() || undefined,
      }),
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
  const send = (event: FormEvent) => {
    event.preventDefault()
    void ask()
  }
  return { act, send }
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
