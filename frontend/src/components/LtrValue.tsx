import { useTranslation } from 'react-i18next'

type Props = {
  /** Key of the texts, with one `{{value}}` of the given name. */
  text: string
  name: string
  value: string
  texts?: string
}

// For private use: control characters within a sentence are shown as escapes.
const mark = '\ue000'

/** A sentence around a phone number, an address, a clock or a command, which reads from left to right in every
 * language. */
export function LtrValue({ text, name, value, texts = 'auth' }: Props) {
  const { t } = useTranslation(texts)
  const [before, after] = t(text, { [name]: mark }).split(mark)
  const Value = name === 'command' ? 'code' : 'bdi'
  return (
    <>
      {before}
      <Value dir="ltr">{value}</Value>
      {after}
    </>
  )
}
