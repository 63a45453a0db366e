// What the server says of one value, in the reader's language, by its code.
import type { FieldFault } from '../api/problem.ts'
import { fieldFaultWords } from '../words/field-faults.ts'
import { useWords } from '../words/reader.ts'
import { Details, lookUp } from './reason.tsx'

export function FieldFaultText({ fault: { code, message } }: { readonly fault: FieldFault }) {
  const words = useWords(fieldFaultWords)
  return (
    <>
      {lookUp(words.codes, code) ?? lookUp(words.general, code) ?? words.other}
      {!Object.hasOwn(words.codes, code) && <Details>{message}</Details>}
    </>
  )
}
