// The command palette. It finds pages by name, and records by any id, name or number that belongs to them. Only members see what needs a
// merchant, and only operators see the console. Loaded when the palette first opens.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useId, useState, type KeyboardEvent } from 'react'
import { findRecords, questionsOf, recordPlaces, type Found } from '../api/find.ts'
import type { RecordKind } from '../api/generated.ts'
import { mayUse, useMembership, useUserPages, useSession } from '../api/session.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Icon, type IconName } from '../kit/icons.tsx'
import { LoadingLine } from '../kit/loading.tsx'
import { Money } from '../kit/money.tsx'
import { PaymentState } from '../kit/states.tsx'
import { frameWords } from '../words/frame.ts'
import { paletteWords } from '../words/palette.ts'
import { useFormat, useReader, useWords } from '../words/reader.ts'
import { useConsoleGroups } from './console-entries.ts'
import { useAreaGroups } from './screen-tables.ts'

type Choice = {
  readonly to: string
  readonly icon: IconName
  readonly label: string
  readonly found?: Found
}

const icons: Readonly<Record<RecordKind, IconName>> = {
  PAYMENT: 'payments',
  REFUND: 'refunds',
  WITHDRAWAL: 'withdrawals',
  DISPUTE: 'disputes',
  PAYMENT_LINK: 'link',
  WALLET: 'wallets',
  WITHDRAWAL_BATCH: 'withdrawals',
  EVENT: 'developers',
  DELIVERY: 'developers',
}

/** A pause in typing, so that not every letter is a request. */
const pauseMs = 200

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(paletteWords)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const listId = useId()
  const navigate = useNavigate()
  const { operatorArea } = useWords(frameWords)
  const { pages, consolePages, found, isSearching } = useChoices(text)
  const choices = [...pages, ...consolePages, ...found]
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return
    onClose()
    void navigate({ to: choice.to })
  }
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive((at) => (choices.length === 0 ? 0 : (at + step + choices.length) % choices.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(choices[active])
    }
  }
  const section = (heading: string, from: number, entries: readonly Choice[]) =>
    entries.length > 0 && (
      <div role="group" aria-label={heading}>
        <div className="px-3 pt-3 pb-1 text-13 text-ink-soft">{heading}</div>
        {entries.map((choice, index) => (
          <Row
            key={choice.to}
            id={`${listId}-${from + index}`}
            choice={choice}
            isActive={active === from + index}
            onPoint={() => setActive(from + index)}
            onChoose={() => choose(choice)}
          />
        ))}
      </div>
    )
  return (
    <Dialog open onClose={onClose} title={words.title} place="bare">
      <SearchInput
        listId={listId}
        activeId={choices.length === 0 ? undefined : `${listId}-${active}`}
        text={text}
        onChange={(next) => {
          setText(next)
          setActive(0)
        }}
        onKey={onKey}
      />
      <LoadingLine isOn={isSearching} />
      <div id={listId} role="listbox" aria-label={words.title} className="min-h-0 flex-1 overflow-y-auto p-2">
        {section(words.pages, 0, pages)}
        {section(operatorArea, pages.length, consolePages)}
        {section(words.found, pages.length + consolePages.length, found)}
        {choices.length === 0 && <Nothing isSearching={isSearching} />}
      </div>
      <p className="border-t border-line px-4 py-2 text-13 text-ink-soft phone:hidden">{words.hint}</p>
    </Dialog>
  )
}

function SearchInput({
  listId,
  activeId,
  text,
  onChange,
  onKey,
}: {
  readonly listId: string
  readonly activeId: string | undefined
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onKey: (event: KeyboardEvent) => void
}) {
  const words = useWords(paletteWords)
  const placeholder = useSession().merchants.length > 0 ? words.placeholder : words.placeholderPages
  return (
    <div className="relative border-b border-line">
      <Icon name="search" className="absolute top-1/2 left-4 -translate-y-1/2 text-ink-soft" />
      <input
        autoFocus
        role="combobox"
        aria-expanded={activeId !== undefined}
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-label={placeholder}
        placeholder={placeholder}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKey}
        className="h-14 w-full bg-transparent pr-4 pl-11 text-17 outline-none placeholder:text-ink-soft/80"
      />
    </div>
  )
}

function Nothing({ isSearching }: { readonly isSearching: boolean }) {
  const words = useWords(paletteWords)
  const { merchants } = useSession()
  return (
    <div role="status" className="px-4 py-8 text-center text-13 text-ink-soft">
      {isSearching ? (
        words.searching
      ) : (
        <>
          <p className="mb-1 text-15 font-strong text-ink">{words.none}</p>
          {merchants.length > 0 && words.noneLead}
        </>
      )}
    </div>
  )
}

function useChoices(text: string) {
  const words = useWords(paletteWords)
  const shell = useWords(frameWords)
  const session = useSession()
  const { locale } = useReader()
  const merchant = useMembership() ?? session.merchants[0]
  const userPages = useUserPages()
  const searched = useDeferredValue(text.trim())
  const base = `/m/${merchant?.id ?? ''}`
  const merchantId = merchant?.id ?? ''
  const may = (permission: string) => merchant !== undefined && mayUse(permission, merchant)
  const isFindable = questionsOf(searched, locale).length > 0
  const search = useQuery({
    queryKey: ['find', merchant?.id, searched],
    enabled: may('payments:read') && isFindable,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      return signal.aborted ? [] : findRecords(searched, { merchantId, may, locale, signal })
    },
  })
  const fold = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const isMeant = ({ label }: Choice) => fold(label).includes(fold(text.trim()))
  const areas = useAreaGroups(merchant).flatMap(({ entries }) =>
    entries.map(({ area, path }) => ({
      to: path === '' ? base : `${base}/${path}`,
      icon: area,
      label: shell.nav[area],
    })),
  )
  const pages: Choice[] = [
    ...areas,
    ...(merchant === undefined
      ? [{ to: userPages.profile, icon: 'user' as const, label: shell.profile }]
      : []),
    { to: userPages.security, icon: 'shield' as const, label: shell.security },
  ].filter(isMeant)
  const consolePages: Choice[] = useConsoleGroups()
    .flatMap(({ entries }) => entries)
    .filter(isMeant)
  const records = isFindable ? (search.data ?? []) : []
  const found: Choice[] = records.map((each) => {
    const { kind, id, payment } = each
    return {
      to: `${base}/${recordPlaces[kind]}/${id}`,
      icon: icons[kind],
      label:
        payment === undefined
          ? words.kinds[kind]
          : (payment.customerName ?? payment.customerEmail ?? payment.description ?? payment.id),
      found: each,
    }
  })
  return { pages, consolePages, found, isSearching: search.isFetching }
}

function Row({
  id,
  choice,
  isActive,
  onPoint,
  onChoose,
}: {
  readonly id: string
  readonly choice: Choice
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}) {
  const format = useFormat()
  const { payment, sum = payment, createdAt } = choice.found ?? {}
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={`flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-13 ${isActive ? 'bg-hover' : ''}`}
    >
      <Icon name={choice.icon} className="text-ink-soft" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{choice.label}</span>
        {choice.found !== undefined && (
          <span className="figures block truncate text-ink-soft">
            {createdAt === undefined ? choice.found.id : format.short(createdAt)}
          </span>
        )}
      </span>
      {sum !== undefined && <Money minor={sum.amount} currency={sum.currency} className="font-strong" />}
      {payment !== undefined && <PaymentState payment={payment} />}
    </div>
  )
}
