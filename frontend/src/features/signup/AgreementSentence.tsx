// For private use: control characters within a sentence are shown as escapes.
const MARK = '\ue000'

type Props = {
  /** The sentence around the agreement's name. */
  sentence: (agreement: string) => string
  name: string
}

/** A sentence that names the user agreement, with a link to it. */
export function AgreementSentence({ sentence, name }: Props) {
  const [before, after] = sentence(MARK).split(MARK)
  return (
    <>
      {before}
      <a href="/agreement" target="_blank" rel="noopener">
        {name}
      </a>
      {after}
    </>
  )
}
