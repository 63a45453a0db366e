// How much a merchant may withdraw, when a second person decides, and to which destinations.
import type { Locale } from '#/kernel/language.ts'
import {
  pixKeyTypes,
  withdrawalTypes,
  type MerchantLimit,
  type PixKeyType,
  type WithdrawalType,
} from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMayOperate } from '../../api/session.ts'
import { currencyOfType } from '../../api/withdrawals.ts'
import { Definitions } from '../../kit/facts.tsx'
import { named, useDraft, type Item } from '../../kit/form.tsx'
import { inputOf, minorOf, type Minor } from '../../kit/format.ts'
import { Card } from '../../kit/page.tsx'
import { RecordList, useAllRecords } from '../../kit/record-list.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { CheckLine, Line, NothingHere, Part } from './parts.tsx'

export function MerchantLimits({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  const query = useRead('listWithdrawalLimits', { id })
  const limits = query.data?.data ?? []
  return (
    <Card
      title={words.limits}
      flush={limits.length === 0}
      action={may('write') && <SetLimits id={id} limits={limits} />}
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
    </Card>
  )
}

function LimitFacts({ limit }: { readonly limit: MerchantLimit }) {
  const words = useWords(operatorMerchantWords)
  const format = useFormat()
  const money = (minor: Minor | undefined, without: string) =>
    minor === undefined ? without : format.money(minor, limit.currency)
  const whoPaysOut = ({ approvalAbove, approvalChoice }: MerchantLimit) => {
    if (approvalChoice === 'ONE_PERSON') return words.onePersonShort
    const text = money(approvalAbove, words.never)
    return approvalChoice === 'SUGGESTED' ? words.suggested(text) : text
  }
  return (
    <div className="border-t border-line py-2 first:border-0">
      <h3 className="text-13 font-strong">{words.types[limit.type]}</h3>
      <Definitions
        items={[
          [words.each, money(limit.each, words.unlimited)],
          [words.day, money(limit.day, words.unlimited)],
          [words.approvalAbove, whoPaysOut(limit)],
          [words.listedOnly, limit.listedOnly ? words.yes : words.no],
          [words.spentToday, money(limit.spentToday, '')],
        ]}
      />
    </div>
  )
}

const fields = ['each', 'day', 'approvalAbove'] as const

function SetLimits({ id, limits }: { readonly id: string; readonly limits: readonly MerchantLimit[] }) {
  const words = useWords(operatorMerchantWords)
  const { locale } = useReader()
  const limitOf = (type: WithdrawalType) => writtenOf(type, limits, locale)
  const draft = useDraft(() => limitOf('PIX'))
  const { type, listedOnly, isOnePerson, had, ...texts } = draft.values
  const minor = (name: (typeof fields)[number]) => minorOf(texts[name], locale) ?? ('none' as const)
  // An empty amount is no choice: that one person pays out is chosen by its own line.
  const approval = isOnePerson ? ('none' as const) : minorOf(texts.approvalAbove, locale)
  const isWrong = (name: (typeof fields)[number]) =>
    texts[name].trim() === ''
      ? name === 'approvalAbove' && had !== '' && !isOnePerson
      : minorOf(texts[name], locale) === undefined
  return (
    <OperatorButton
      title={words.limitSet}
      lead={words.limitLead}
      act={words.limitSet}
      reason="maybe"
      call="changeWithdrawalLimits"
      id={id}
      draft={draft}
      fields={[
        { name: 'type', label: words.type, options: named(withdrawalTypes, words.types), also: limitOf },
        ...fields.map(
          (name) =>
            ({
              name,
              label: words[name],
              currency: currencyOfType[type],
              placeholder: name === 'approvalAbove' ? words.never : words.unlimited,
              wrong: isWrong(name) && words.amountWrong,
            }) as Item<Written>,
        ),
        <CheckLine
          key="one-person"
          label={words.onePerson}
          isOn={isOnePerson}
          onSwitch={(isOn) => draft.put({ isOnePerson: isOn, approvalAbove: isOn ? '' : had })}
        />,
        <CheckLine
          key="listed"
          label={words.listedOnly}
          isOn={listedOnly}
          onSwitch={(isOn) => draft.put({ listedOnly: isOn })}
        />,
      ]}
      body={() => ({
        type,
        each: minor('each'),
        day: minor('day'),
        ...(approval === undefined ? {} : { approvalAbove: approval }),
        listedOnly,
      })}
      done={words.limitDone}
    />
  )
}

export function MerchantDestinations({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  return (
    <RecordList
      records={useAllRecords('listAllowedDestinations', { id })}
      words={{ title: words.destinations, none: words.destinationsNone }}
      title={words.destinations}
      action={may('write') && <AddDestination id={id} />}
      rowId={({ type, destination }) => `${type} ${destination}`}
      line={({ type, destination, note }) => (
        <Line>
          <span className="min-w-0 flex-1 basis-48">
            <span className="font-mono break-all">{destination}</span>
            {note !== undefined && <span className="block break-words text-ink-soft">{note}</span>}
          </span>
          <span className="text-ink-soft">{words.types[type]}</span>
          {may('write') && (
            <OperatorButton
              variant="danger"
              title={words.destinationRemove}
              lead={words.destinationRemoveLead(destination)}
              act={words.destinationRemove}
              reason="maybe"
              call="removeDestination"
              id={id}
              body={() => ({
                type,
                destination,
                ...(type === 'PIX' ? { keyType: keyTypeOf(destination) } : {}),
              })}
              done={words.destinationRemoved}
            />
          )}
        </Line>
      )}
    />
  )
}

/** Keys on the list are written in one way, which tells their type. */
function keyTypeOf(key: string): PixKeyType {
  if (key.includes('@')) return 'EMAIL'
  if (key.startsWith('+')) return 'PHONE'
  if (/^[0-9a-f-]{36}$/i.test(key)) return 'EVP'
  return key.length === 11 ? 'CPF' : 'CNPJ'
}

function AddDestination({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const draft = useDraft({
    type: 'PIX' as WithdrawalType,
    keyType: 'EVP' as PixKeyType,
    destination: '',
  })
  const { type, keyType, destination } = draft.values
  return (
    <OperatorButton
      title={words.destinationAdd}
      lead={words.destinationLead}
      act={words.destinationAdd}
      reason="maybe"
      call="allowDestination"
      id={id}
      draft={draft}
      fields={[
        { name: 'type', label: words.type, options: named(withdrawalTypes, words.types) },
        type === 'PIX' && { name: 'keyType', label: words.keyType, options: pixKeyTypes },
        { name: 'destination', label: words.destination, autoComplete: 'off', className: 'font-mono' },
      ]}
      body={() => ({ type, destination: destination.trim(), ...(type === 'PIX' ? { keyType } : {}) })}
      done={words.destinationDone}
    />
  )
}

type Written = ReturnType<typeof writtenOf>

/** The limits of a type as they are written; empty where there is none. */
function writtenOf(type: WithdrawalType, limits: readonly MerchantLimit[], locale: Locale) {
  const limit = limits.find((each) => each.type === type)
  const text = (minor: Minor | undefined) => (minor === undefined ? '' : inputOf(minor, locale))
  return {
    type,
    each: text(limit?.each),
    day: text(limit?.day),
    approvalAbove: text(limit?.approvalAbove),
    listedOnly: limit?.listedOnly ?? false,
    isOnePerson: limit?.approvalChoice === 'ONE_PERSON',
    had: text(limit?.approvalAbove),
  }
}
