import { Fragment } from 'react'

const MARKS = /(\*\*[^*]+\*\*|`[^`]+`)/

/** `**Name on a button**` and `` `value` `` inside a sentence. Both are in Latin letters in every language. */
export function Marked({ text }: { text: string }) {
  return text.split(MARKS).map((part, index) => {
    if (part.startsWith('**')) {
      return (
        <strong key={index}>
          <bdi dir="ltr">{part.slice(2, -2)}</bdi>
        </strong>
      )
    }
    if (part.startsWith('`')) {
      return (
        <code key={index} dir="ltr">
          {part.slice(1, -1)}
        </code>
      )
    }
    return <Fragment key={index}>{part}</Fragment>
  })
}

/** A list in the texts: i18next answers it as an object of any kind. */
export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
