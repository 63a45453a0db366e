// The parts of Base UI behind Dialog. Loaded when the first dialog opens.
import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { kitWords } from '../words/kit.ts'
import { useWords } from '../words/reader.ts'
import { IconButton } from './button.tsx'

export type DialogProps = {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** One sentence below the title: what will happen, with which amount, to where. */
  readonly lead?: ReactNode
  readonly children?: ReactNode
  /** `end`: a sheet at the side that leaves the page visible; `start`: the navigation on a phone; `bare`: without a head. */
  readonly place?: 'middle' | 'end' | 'start' | 'bare'
  /** It closes only by a button inside it: what it shows is not shown again. */
  readonly mustDecide?: boolean
  /** Above another dialog, which goes on afterwards. */
  readonly isOver?: boolean
}

const places = {
  middle:
    'left-1/2 top-1/2 w-[min(480px,calc(100vw-32px))] max-h-[calc(100dvh-48px)] -translate-x-1/2 -translate-y-1/2 rounded-card border data-starting-style:opacity-0 data-starting-style:scale-[0.98] data-ending-style:opacity-0 phone:top-auto phone:bottom-0 phone:left-0 phone:w-full phone:max-h-[92dvh] phone:translate-x-0 phone:translate-y-0 phone:rounded-b-none',
  bare: 'left-1/2 top-[12vh] w-[min(620px,calc(100vw-24px))] max-h-[72dvh] -translate-x-1/2 rounded-card border data-starting-style:opacity-0 data-starting-style:scale-[0.98] data-ending-style:opacity-0 phone:top-3',
  end: 'inset-y-0 right-0 w-[min(560px,100vw)] data-starting-style:translate-x-full data-ending-style:translate-x-full border-l',
  start:
    'inset-y-0 left-0 w-[min(300px,86vw)] data-starting-style:-translate-x-full data-ending-style:-translate-x-full border-r',
} as const

export function DialogParts({
  open,
  onClose,
  title,
  lead,
  children,
  place = 'middle',
  mustDecide = false,
  isOver = false,
}: DialogProps) {
  const words = useWords(kitWords)
  const hasHead = place === 'middle' || place === 'end'
  return (
    <Base.Root
      open={open}
      // A press beside a form must not lose what was typed.
      disablePointerDismissal={place === 'middle'}
      onOpenChange={(isOpen) => !isOpen && !mustDecide && onClose()}
    >
      <Base.Portal>
        <Base.Backdrop
          className={`fixed inset-0 bg-shade transition-opacity duration-150 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0 ${isOver ? 'z-52' : 'z-40'}`}
        />
        <Base.Popup
          className={`fixed flex flex-col overflow-hidden border-line bg-card shadow-over outline-none transition-[opacity,translate,scale] duration-150 ease-out ${isOver ? 'z-54' : 'z-50'} ${places[place]}`}
        >
          {hasHead ? (
            <header className="flex items-start gap-3 px-6 pt-5 phone:px-4">
              <div className="min-w-0 flex-1">
                <Base.Title className="text-17 font-strong">{title}</Base.Title>
                {lead !== undefined && (
                  <Base.Description className="mt-1 text-13 text-ink-soft" render={<div />}>
                    {lead}
                  </Base.Description>
                )}
              </div>
              {!mustDecide && (
                <IconButton icon="close" label={words.close} onClick={onClose} className="-mt-1 -mr-2" />
              )}
            </header>
          ) : (
            <Base.Title className="aside">{title}</Base.Title>
          )}
          <div
            className={
              hasHead
                ? 'flex flex-col gap-4 overflow-y-auto px-6 pt-4 pb-6 phone:px-4'
                : 'flex min-h-0 flex-1 flex-col'
            }
          >
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
