// The page of one record: its head, and before it is there what it is a page of.
import type { ReactNode } from 'react'
import { CopyButton } from './copy.tsx'
import { LoadingOrFault, type Reading } from './fault.tsx'
import type { Minor } from './format.ts'
import { Money } from './money.tsx'
import { PageHeader } from './page.tsx'

type Head = {
  /** The title: a name, or an amount of money. */
  readonly name?: string
  readonly sum?: { readonly amount: Minor; readonly currency: string }
  /** Behind the title: the states of the record. */
  readonly badges?: ReactNode
  /** Of the window, where it is not the name. */
  readonly titleText?: string
  /** Below the title, with its copy button, and how it is called there. */
  readonly id?: readonly [id: string, what: string]
  readonly lead?: ReactNode
  readonly actions?: ReactNode
}

/** `kind`: what it is. `isComing`: what is shown together with the record is on its way. */
export function RecordPage<Of>({
  of: { data, error, refetch },
  kind,
  back,
  isComing = false,
  head,
  children,
}: {
  readonly of: Reading<Of>
  readonly kind: string
  readonly back: { readonly to: string; readonly label: string }
  readonly isComing?: boolean
  readonly head: (record: Of) => Head
  readonly children: (record: Of) => ReactNode
}) {
  if (data === undefined || isComing)
    return (
      <>
        <PageHeader title={kind} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  const { name = '', sum, badges, titleText = name, id, lead, actions } = head(data)
  return (
    <>
      <PageHeader
        back={back}
        titleText={titleText}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            {sum === undefined ? (
              <span className="min-w-0 break-words">{name}</span>
            ) : (
              <>
                <span className="aside">{kind}</span>
                <Money minor={sum.amount} currency={sum.currency} className="text-28 tracking-tight" />
              </>
            )}
            {badges}
          </span>
        }
        lead={id === undefined ? lead : <RecordId value={id[0]} what={id[1]} />}
        actions={actions}
      />
      {children(data)}
    </>
  )
}

/** The id of a record below its title, with its copy button. `what` names it there. */
function RecordId({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <span className="flex max-w-full items-center gap-1">
      <span className="min-w-0 truncate font-mono text-13">{value}</span>
      <CopyButton value={value} what={what} />
    </span>
  )
}

/** Parts of a screen, one below the other. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className="flex min-w-0 flex-col gap-6 phone:gap-4">{children}</div>
}

/** The parts of a record's page, and beside them what is known of it. */
export function Beside({ side, children }: { readonly side: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
      <Stack>{children}</Stack>
      {side}
    </div>
  )
}
