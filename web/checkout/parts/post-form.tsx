// A form that shows that it was sent: the pressed button changes its words until the answer arrives.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Props = {
  readonly action: string
  readonly class?: string
  /** `pressed`: the value of the button that sent it, empty when it has none; undefined while nothing was sent. */
  readonly children: (pressed: string | undefined) => ComponentChildren
}

/** An answer that takes longer may never come: then the form can be sent again. */
const patienceMs = 20_000

/** The server explains faults beside each field, in the page's own language. */
export function PostForm({ action, class: name, children }: Props) {
  const [pressed, setPressed] = useState<string>()
  useEffect(() => {
    if (pressed === undefined) return undefined
    const free = () => setPressed(undefined)
    const timer = setTimeout(free, patienceMs)
    // A payer who comes back by the browser's button finds the page as it was left.
    addEventListener('pageshow', free)
    return () => {
      clearTimeout(timer)
      removeEventListener('pageshow', free)
    }
  }, [pressed])
  const onSubmit = (event: SubmitEvent) => {
    if (pressed !== undefined) return event.preventDefault()
    const { submitter } = event
    return setPressed(submitter instanceof HTMLButtonElement ? submitter.value : '')
  }
  return (
    <form method="post" action={action} class={name} noValidate onSubmit={onSubmit}>
      {children(pressed)}
    </form>
  )
}
