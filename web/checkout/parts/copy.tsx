// A copy button that confirms the copy.
import { useEffect, useState } from 'preact/hooks'
import type { PageState } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'
import { Icon } from './icons.tsx'
import { Said } from './said.tsx'

type Props = {
  readonly state: PageState
  readonly value: string
  /** The text of a large button; of a small button, what it copies, for screen readers. */
  readonly label: string
  /** The id of the element with the same text: it is selected where the browser does not allow copying. */
  readonly from: string
  readonly isPrimary?: boolean
}

const shownMs = 2_000

export function CopyButton({ state, value, label, from, isPrimary = false }: Props) {
  const words = wordsOf(state)
  const [done, setDone] = useState<'copied' | 'selected'>()
  useEffect(() => {
    if (done === undefined) return undefined
    const timer = setTimeout(() => setDone(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async () => setDone((await toClipboard(value)) ? 'copied' : select(from))
  const said = done === undefined ? undefined : words[done]
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'button with-script' : 'copy with-script'}
        data-done={done}
        onClick={() => void copy()}
      >
        <Icon name={done === undefined ? 'copy' : 'check'} size={isPrimary ? 20 : 18} />
        {isPrimary ? (
          <Said state={state} text={said ?? label} />
        ) : (
          <span key={`${said} ${label}`}>
            {said ?? words.copy}
            <span class="aside"> {label}</span>
          </span>
        )}
      </button>
      <span class="aside" role="status">
        <Said state={state} text={said ?? ''} />
      </span>
    </>
  )
}

/** False where the page is not on a secure origin, or the payer has forbidden it. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

function select(id: string): 'selected' {
  const element = document.getElementById(id)
  if (element !== null) getSelection()?.selectAllChildren(element)
  return 'selected'
}
