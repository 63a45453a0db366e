// How much a merchant may withdraw, when a second person decides, and to which destinations.
import { useState } from 'react'
import type { Locale } from '#/kernel/language.ts'
import type { Destination, Limit } from '../../api/operator-records.ts'
import { useMayOperate, useOperatorOne } from '../../api/operator.ts'
import { faultOf } from '../../api/problem.ts'
import { Button } from '../../kit/button.tsx'
import { AmountField, TextField } from '../../kit/field.tsx'
import { inputOf, minorOf, type Minor } from '../../kit/format.ts'
import { Card, Definitions } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { CheckLine, Line, NothingHere, Part } from './parts.tsx'

type PayoutType = 'PIX' | 'CRYPTO' | 'SEPA'
const currencyOf: Readonly<Record<PayoutType, string>> = { PIX: 'BRL', CRYPTO: 'USDT', SEPA: 'EUR' }

function useTypeOptions() {
  const { types } = useWords(operatorMerchantWords)
  return (['PIX', 'CRYPTO', 'SEPA'] as const).map((value) => ({ value, label: types[value] }))
}

export function MerchantLimits({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  const query = useOperatorOne<{ data: readonly Limit[] }>(`merchants/${id}/limits`)
  const [isSetting, setSetting] = useState(false)
  const limits = query.data?.data ?? []
  return (
    <Card
      title={words.limits}
      flush={limits.length === 0}
      action={may('write') && <Button onClick={() => setSetting(true)}>{words.limitSet}</Button>}
    >
      <Part query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <NothingHere>{words.limitsNone}</NothingHere>
          ) : (
            data.map((limit) => <LimitFacts key={limit.type} limit={limit} />)
          )
        }
      </Part>
      {isSetting && <SetLimits id={id} limits={limits} onClose={() => setSetting(false)} />}
    </Card>
  )
}

function LimitFacts({ limit }: { readonly limit: Limit }) {
  const words = useWords(operatorMerchantWords)
  const format = useFormat()
  const money = (minor: Minor | undefined, without: string) =>
    minor === undefined ? without : format.money(minor, limit.currency)
  const name = (words.types as Readonly<Record<string, string>>)[limit.type] ?? limit.type
  return (
    <div className="border-t border-line py-2 first:border-0">
      <h3 className="text-13 font-strong">{name}</h3>
      <Definitions
        items={[
          [words.each, money(limit.each, words.unlimited)],
          [words.day, money(limit.day, words.unlimited)],
          [words.approvalAbove, money(limit.approvalAbove, words.never)],
          [words.listedOnly, limit.listedOnly ? words.yes : words.no],
          [words.spentToday, money(limit.spentToday, '')],
        ]}
      />
    </div>
  )
}

const fields = ['each', 'day', 'approvalAbove'] as const

function SetLimits({
  id,
  limits,
  onClose,
}: {
  readonly id: string
  readonly limits: readonly Limit[]
  readonly onClose: () => void
}) {
  const words = useWords(operatorMerchantWords)
  const { locale } = useReader()
  const options = useTypeOptions()
  const textsOf = (of: PayoutType) =>
    limitTexts(
      limits.find((each) => each.type === of),
      locale,
    )
  const isListed = (of: PayoutType) => limits.find((each) => each.type === of)?.listedOnly ?? false
  const [type, setType] = useState<PayoutType>('PIX')
  const [texts, setTexts] = useState(() => textsOf('PIX'))
  const [listedOnly, setListedOnly] = useState(() => isListed('PIX'))
  const [wasTried, setTried] = useState(false)
  const body = () => {
    setTried(true)
    if (fields.some((name) => isWrong(texts[name], locale))) return undefined
    const minor = (name: (typeof fields)[number]) => minorOf(texts[name], locale) ?? null
    return { type, each: minor('each'), day: minor('day'), approvalAbove: minor('approvalAbove'), listedOnly }
  }
  return (
    <ActionDialog
      title={words.limitSet}
      lead={words.limitLead}
      act={words.limitSet}
      reason="maybe"
      path={`merchants/${id}/limits`}
      method="PATCH"
      body={body}
      done={words.limitDone}
      onClose={onClose}
    >
      {(error) => (
        <>
          <SelectField
            label={words.type}
            value={type}
            options={options}
            onChange={(event) => {
              const next = event.target.value as PayoutType
              setType(next)
              setTexts(textsOf(next))
              setListedOnly(isListed(next))
            }}
          />
          {fields.map((name) => (
            <AmountField
              key={name}
              label={words[name]}
              currency={currencyOf[type]}
              placeholder={name === 'approvalAbove' ? words.never : words.unlimited}
              value={texts[name]}
              fault={wasTried && isWrong(texts[name], locale) ? words.amountWrong : faultOf(error, name)}
              onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
            />
          ))}
          <CheckLine label={words.listedOnly} isOn={listedOnly} onSwitch={setListedOnly} />
        </>
      )}
    </ActionDialog>
  )
}

export function MerchantDestinations({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  const query = useOperatorOne<{ data: readonly Destination[] }>(`merchants/${id}/destinations`)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Destination>()
  return (
    <Card
      title={words.destinations}
      flush
      action={may('write') && <Button onClick={() => setAdding(true)}>{words.destinationAdd}</Button>}
    >
      <Part query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <NothingHere>{words.destinationsNone}</NothingHere>
          ) : (
            <ul>
              {data.map((each) => (
                <Line key={`${each.type} ${each.destination}`}>
                  <span className="min-w-0 flex-1 basis-48">
                    <span className="font-mono break-all">{each.destination}</span>
                    {each.note !== undefined && (
                      <span className="block break-words text-ink-soft">{each.note}</span>
                    )}
                  </span>
                  <span className="text-ink-soft">
                    {(words.types as Readonly<Record<string, string>>)[each.type] ?? each.type}
                  </span>
                  {may('write') && (
                    <Button variant="danger" onClick={() => setRemoved(each)}>
                      {words.destinationRemove}
                    </Button>
                  )}
                </Line>
              ))}
            </ul>
          )
        }
      </Part>
      {isAdding && <AddDestination id={id} onClose={() => setAdding(false)} />}
      {removed !== undefined && (
        <ActionDialog
          title={words.destinationRemove}
          lead={words.destinationRemoveLead(removed.destination)}
          act={words.destinationRemove}
          isDanger
          reason="maybe"
          path={`merchants/${id}/destinations/remove`}
          body={() => ({
            type: removed.type,
            destination: removed.destination,
            ...(removed.type === 'PIX' ? { keyType: keyTypeOf(removed.destination) } : {}),
          })}
          done={words.destinationRemoved}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Card>
  )
}

const keyTypes = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const

/** Keys on the list are written in one way, which tells their type. */
function keyTypeOf(key: string): (typeof keyTypes)[number] {
  if (key.includes('@')) return 'EMAIL'
  if (key.startsWith('+')) return 'PHONE'
  if (/^[0-9a-f-]{36}$/i.test(key)) return 'EVP'
  return key.length === 11 ? 'CPF' : 'CNPJ'
}

function AddDestination({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWords(operatorMerchantWords)
  const options = useTypeOptions()
  const [type, setType] = useState<PayoutType>('PIX')
  const [keyType, setKeyType] = useState<string>('EVP')
  const [destination, setDestination] = useState('')
  return (
    <ActionDialog
      title={words.destinationAdd}
      lead={words.destinationLead}
      act={words.destinationAdd}
      reason="maybe"
      path={`merchants/${id}/destinations`}
      body={() => ({ type, destination: destination.trim(), ...(type === 'PIX' ? { keyType } : {}) })}
      done={words.destinationDone}
      onClose={onClose}
    >
      {(error) => (
        <>
          <SelectField
            label={words.type}
            value={type}
            options={options}
            onChange={(event) => setType(event.target.value as PayoutType)}
          />
          {type === 'PIX' && (
            <SelectField
              label={words.keyType}
              value={keyType}
              options={keyTypes.map((value) => ({ value, label: value }))}
              fault={faultOf(error, 'keyType')}
              onChange={(event) => setKeyType(event.target.value)}
            />
          )}
          <TextField
            label={words.destination}
            value={destination}
            autoComplete="off"
            className="font-mono"
            fault={faultOf(error, 'destination')}
            onChange={(event) => setDestination(event.target.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}

function isWrong(text: string, locale: Locale): boolean {
  return text.trim() !== '' && minorOf(text, locale) === undefined
}

/** The limits of a type as texts; empty where there is none. */
function limitTexts(limit: Limit | undefined, locale: Locale): Record<(typeof fields)[number], string> {
  const text = (minor: Minor | undefined) => (minor === undefined ? '' : inputOf(minor, locale))
  return { each: text(limit?.each), day: text(limit?.day), approvalAbove: text(limit?.approvalAbove) }
}
