// Cards are typed into the provider's own form: in a frame here, or on its page.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CardLabels } from '#/checkout/methods/card-words.ts'
import type { Panels } from '#/checkout/methods/panels.ts'
import { Icon } from '../parts/icons.tsx'
import { PostForm } from '../parts/post-form.tsx'
import { Said } from '../parts/said.tsx'
import { Problem } from '../parts/status.tsx'
import { wordsOf } from '../words.ts'
import type { MethodView, PanelProps } from './method-view.ts'

type Card = Panels['CREDIT_CARD']

export const cardView: MethodView<Card> = {
  Panel: CardPanel,
  isForm: true,
  isTypedInto: ({ frameUrl }) => frameUrl !== undefined,
}

function CardPanel({ state, panel, check }: PanelProps<Card>) {
  const words = state.texts as CardLabels
  const hasFrame = panel.frameUrl !== undefined
  return (
    <div class="panel">
      {hasFrame && (
        <>
          <CardFrame
            key={panel.frameUrl}
            url={panel.frameUrl}
            title={words.cardFrame}
            loading={words.cardLoading}
            {...(check === undefined ? {} : { check })}
          />
          <Problem state={state} />
        </>
      )}
      <p class="hint safe">
        <Icon name="lock" />
        <span>{words.cardSafe}</span>
      </p>
      <PostForm action={panel.hostedUrl} class={hasFrame ? 'elsewhere' : ''}>
        {(pressed) => (
          <button type="submit" class={hasFrame ? 'quiet' : 'button'} aria-busy={pressed !== undefined}>
            <Said
              state={state}
              text={
                pressed !== undefined
                  ? wordsOf(state).opening
                  : hasFrame
                    ? words.cardElsewhere
                    : words.cardContinue
              }
            />
          </button>
        )}
      </PostForm>
    </div>
  )
}

/** The messages of the frame's page. */
type FrameMessage =
  | { readonly type: 'vintem:height'; readonly height: number }
  | { readonly type: 'vintem:done' }

/** A frame lower than a line of text is still empty. */
const heightLimits = { least: 40, most: 2_000 }

type FrameProps = {
  readonly url: string
  readonly title: string
  readonly loading: string
  readonly check?: () => void
}

function CardFrame({ url, title, loading, check }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState<number>()
  const sizeTo = (reported: number) => {
    if (reported >= heightLimits.least) setHeight(Math.min(Math.ceil(reported), heightLimits.most))
  }
  useEffect(() => {
    // A frame that was ready before this page posted its height before this page listened.
    const inner = frame.current?.contentDocument
    if (inner?.readyState === 'complete' && inner.URL !== 'about:blank')
      sizeTo(inner.documentElement.getBoundingClientRect().height)
    const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin !== location.origin || source === null || source !== frame.current?.contentWindow) return
      const message = messageOf(data)
      if (message?.type === 'vintem:height') sizeTo(message.height)
      if (message?.type === 'vintem:done') check?.()
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [check])
  return (
    <div class="frame" data-state={height === undefined ? 'loading' : 'open'}>
      {height === undefined && <p class="hint">{loading}</p>}
      <iframe ref={frame} src={url} title={title} height={height ?? 360} />
    </div>
  )
}

function messageOf(data: unknown): FrameMessage | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined
  if (data.type === 'vintem:done') return { type: 'vintem:done' }
  if (data.type !== 'vintem:height' || !('height' in data)) return undefined
  const { height } = data
  return typeof height === 'number' && Number.isFinite(height) ? { type: 'vintem:height', height } : undefined
}
