// The live preview: a form that is posted into a frame. The server answers the payer's real page for the draft, which can do nothing.
import { useEffect, useId, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { languageNames } from '#/kernel/language.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/field.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Notice } from '../../kit/page.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { templateWords } from '../../words/templates.ts'
import { Segments } from './form.tsx'
import { sentOf, type Draft } from './model.ts'

const states = [
  'choose',
  'fields',
  'preparing',
  'waiting',
  'confirming',
  'underpaid',
  'paid',
  'overpaid',
  'late',
  'expired',
  'failed',
  'canceled',
] as const

type Scheme = 'light' | 'dark'
type Width = 'phone' | 'desktop'

type View = {
  readonly state: (typeof states)[number]
  readonly method: string
  readonly language: string
  readonly theme: Scheme
  readonly width: Width
}

const postAfterMs = 80
const widths: Readonly<Record<Width, number>> = { phone: 390, desktop: 1_080 }

export function Preview({ draft }: { readonly draft: Draft }) {
  const { locale } = useReader()
  const [view, setView] = useState<View>(() => ({
    state: 'choose',
    method: draft.methods[0]?.method ?? '',
    language: draft.languages.enabled.includes(locale) ? locale : draft.languages.default,
    theme: 'light',
    // Most payers come by phone.
    width: 'phone',
  }))
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <Controls draft={draft} view={view} change={(more) => setView({ ...view, ...more })} />
      <Frame draft={draft} view={view} />
    </div>
  )
}

function Controls({
  draft,
  view,
  change,
}: {
  readonly draft: Draft
  readonly view: View
  readonly change: (view: Partial<View>) => void
}) {
  const words = useWords(templateWords)
  const { method: methodNames } = useWords(stateWords)
  const asks = draft.address !== 'none' || Object.values(draft.fields).some((each) => each !== 'hidden')
  const methods = draft.methods.filter(({ enabled }) => enabled !== false).map(({ method }) => method)
  const method = methods.find((each) => each === view.method) ?? methods[0] ?? ''
  const { enabled } = draft.languages
  const language = enabled.find((each) => each === view.language) ?? draft.languages.default
  const themes = (['light', 'dark'] as const).map((value) => ({ value, label: words.themes[value] }))
  const { theme } = draft.brand
  const small = 'min-h-9! text-13! phone:min-h-11! [field-sizing:content]'
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={words.shownState}
        className={small}
        value={view.state}
        onChange={(event) => change({ state: event.target.value as View['state'] })}
        options={states
          .filter((value) => asks || value !== 'fields')
          .map((value) => ({ value, label: words.states[value] }))}
      />
      <Select
        aria-label={words.shownMethod}
        className={small}
        value={method}
        onChange={(event) => change({ method: event.target.value })}
        options={methods.map((value) => ({ value, label: methodNames[value] }))}
      />
      {enabled.length > 1 && (
        <Select
          aria-label={words.shownLanguage}
          className={small}
          value={language}
          onChange={(event) => change({ language: event.target.value })}
          options={enabled.map((value) => ({ value, label: languageNames[value] }))}
        />
      )}
      <Segments
        legend={words.shownTheme}
        value={theme === 'auto' ? view.theme : theme}
        isDisabled={theme !== 'auto'}
        options={themes}
        onChange={(next) => change({ theme: next })}
      />
      <Segments
        legend={words.shownWidth}
        value={view.width}
        options={(['phone', 'desktop'] as const).map((value) => ({ value, label: words.widths[value] }))}
        onChange={(width) => change({ width })}
      />
    </div>
  )
}

function Frame({ draft, view }: { readonly draft: Draft; readonly view: View }) {
  const words = useWords(templateWords)
  const { id } = useMerchant()
  const name = useId().replaceAll(/\W/g, '')
  const form = useRef<HTMLFormElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const { isFetching, isFailed, post, loaded } = usePosts(form, frame)
  const { state, method, language, theme, width } = view
  const sent = JSON.stringify(sentOf(draft))
  useEffect(() => {
    const timer = setTimeout(post, postAfterMs)
    return () => clearTimeout(timer)
    // `post` is the same for each of these values.
  }, [sent, state, method, language, theme])
  const size = useSize(box)
  const wide = widths[width]
  const scale = Math.min(1, size.width / wide)
  const values = { document: sent, state, method, language, theme }
  return (
    <>
      <form ref={form} method="post" action={`/preview/${id}`} target={name} hidden>
        {Object.entries(values).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} readOnly />
        ))}
      </form>
      {isFailed && (
        <Notice tone="bad" action={<Button onClick={post}>{words.retry}</Button>}>
          {words.previewFailed}
        </Notice>
      )}
      <div
        ref={box}
        className="relative min-h-110 flex-1 overflow-hidden rounded-card border border-line bg-inset"
      >
        <LoadingLine isOn={isFetching} />
        <iframe
          ref={frame}
          name={name}
          title={words.frame}
          onLoad={loaded}
          className="absolute top-0 left-1/2 border-0 bg-card"
          style={{
            width: wide,
            height: size.height / (scale === 0 ? 1 : scale),
            marginLeft: (-wide * scale) / 2,
            transform: `scale(${scale})`,
            transformOrigin: 'top left',
          }}
        />
      </div>
    </>
  )
}

/** Posts the form. Each answer replaces the answer before it in the frame's history, and keeps the scroll position. */
function usePosts(form: RefObject<HTMLFormElement | null>, frame: RefObject<HTMLIFrameElement | null>) {
  const [isFetching, setFetching] = useState(true)
  const [isFailed, setFailed] = useState(false)
  const scrolled = useRef(0)
  return {
    isFetching,
    isFailed,
    post() {
      scrolled.current = frame.current?.contentWindow?.scrollY ?? 0
      setFetching(true)
      form.current?.submit()
    },
    loaded() {
      const shown = frame.current?.contentDocument
      // The empty frame, before the first answer.
      if (shown?.URL === 'about:blank') return
      setFetching(false)
      // A refusal is no page, and the browser's own error page is not ours to read.
      setFailed(shown?.contentType !== 'text/html')
      frame.current?.contentWindow?.scrollTo(0, scrolled.current)
    },
  }
}

function useSize(box: RefObject<HTMLDivElement | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return size
}
