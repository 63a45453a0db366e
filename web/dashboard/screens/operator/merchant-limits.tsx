// How much a merchant may withdraw, when a second person decides, and to which destinations.
import { useState } from 'react'
import type { Locale } from '#/kernel/language.ts'
import type { Row } from '../../api/call.ts'
import {
  pixKeyTypes,
  withdrawalTypes,
  type MerchantLimit,
  type PixKeyType,
  type WithdrawalType,
} from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { faultOf } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { currencyOfType } from '../../api/withdrawals.ts'
import { Button } from '../../kit/button.tsx'
import { AmountField, TextField } from '../../kit/field.tsx'
import { inputOf, minorOf, type Minor } from '../../kit/format.ts'
import { Card, Definitions } from '../../kit/page.tsx'
import { oneOf, SelectField } from '../../kit/select.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { CheckLine, Line, NothingHere, Part } from './parts.tsx'

function useTypeOptions() {
  const { types } = useWords(operatorMerchantWords)
  return withdrawalTypes.map((value) => ({ value, label: types[value] }))
}

export function MerchantLimits({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  const query = useRead('listWithdrawalLimits', { id })
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

function LimitFacts({ limit }: { readonly limit: MerchantLimit }) {
  const words = useWords(operatorMerchantWords)
  const format = useFormat()
  const money = (minor: Minor | undefined, without: string) =>
    minor === undefined ? without : format.money(minor, limit.currency)
  return (
    <div className="border-t border-line py-2 first:border-0">
      <h3 className="text-13 font-strong">{words.types[limit.type]}</h3>
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
  readonly limits: readonly MerchantLimit[]
  readonly onClose: () => void
}) {
  const words = useWords(operatorMerchantWords)
  const { locale } = useReader()
  const options = useTypeOptions()
  const textsOf = (of: WithdrawalType) =>
    limitTexts(
      limits.find((each) => each.type === of),
      locale,
    )
  const isListed = (of: WithdrawalType) => limits.find((each) => each.type === of)?.listedOnly ?? false
  const [type, setType] = useState<WithdrawalType>('PIX')
  const [texts, setTexts] = useState(() => textsOf('PIX'))
  const [listedOnly, setListedOnly] = useState(() => isListed('PIX'))
  const [wasTried, setTried] = useState(false)
  const body = () => {
    setTried(true)
    if (fields.some((name) => isWrong(texts[name], locale))) return undefined
    const minor = (name: (typeof fields)[number]) => minorOf(texts[name], locale) ?? ('none' as const)
    return { type, each: minor('each'), day: minor('day'), approvalAbove: minor('approvalAbove'), listedOnly }
  }
  return (
    <ActionDialog
      title={words.limitSet}
      lead={words.limitLead}
      act={words.limitSet}
      reason="maybe"
      call="changeWithdrawalLimits"
      id={id}
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
              const next = oneOf(withdrawalTypes, event.target.value)
              setType(next)
              setTexts(textsOf(next))
              setListedOnly(isListed(next))
            }}
          />
          {fields.map((name) => (
            <AmountField
              key={name}
              label={words[name]}
              currency={currencyOfType[type]}
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
  const query = useRead('listAllowedDestinations', { id })
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Row<'listAllowedDestinations'>>()
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
                  <span className="text-ink-soft">{words.types[each.type]}</span>
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
          call="removeDestination"
          id={id}
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

/** Keys on the list are written in one way, which tells their type. */
function keyTypeOf(key: string): PixKeyType {
  if (key.includes('@')) return 'EMAIL'
  if (key.startsWith('+')) return 'PHONE'
  if (/^[0-9a-f-]{36}$/i.test(key)) return 'EVP'
  return key.length === 11 ? 'CPF' : 'CNPJ'
}

function AddDestination({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWords(operatorMerchantWords)
  const options = useTypeOptions()
  const [type, setType] = useState<WithdrawalType>('PIX')
  const [keyType, setKeyType] = useState<PixKeyType>('EVP')
  const [destination, setDestination] = useState('')
  return (
    <ActionDialog
      title={words.destinationAdd}
      lead={words.destinationLead}
      act={words.destinationAdd}
      reason="maybe"
      call="allowDestination"
      id={id}
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
            onChange={(event) => setType(oneOf(withdrawalTypes, event.target.value))}
          />
          {type === 'PIX' && (
            <SelectField
              label={words.keyType}
              value={keyType}
              options={pixKeyTypes.map((value) => ({ value, label: value }))}
              fault={faultOf(error, 'keyType')}
              onChange={(event) => setKeyType(oneOf(pixKeyTypes, event.target.value))}
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
function limitTexts(
  limit: MerchantLimit | undefined,
  locale: Locale,
): Record<(typeof fields)[number], string> {
  const text = (minor: Minor | undefined) => (minor === undefined ? '' : inputOf(minor, locale))
  return { each: text(limit?.each), day: text(limit?.day), approvalAbove: text(limit?.approvalAbove) }
}
