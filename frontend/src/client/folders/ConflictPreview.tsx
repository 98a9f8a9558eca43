import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/Skeleton'
import { visible } from '@/lib/visible'
import { get } from '../api'
import { Failure } from '../Failure'
import { useErrorText } from '../use-call'
import type { Conflict } from './ConflictCard'
import styles from './folders.module.css'

const MAX_WIDTH = 1200

type Props = { folder: string; conflict: Conflict; which: 'current' | 'other' }

/** One version, if it is a picture; its beginning, if it is text. */
export function ConflictPreview({ folder, conflict, which }: Props) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { space, current, other } = conflict
  const query = { id: folder, space, path: current.path, keptAs: other.path, side: which }
  const { data, error } = useQuery({
    queryKey: ['conflict-preview', query, conflict[which].sequence],
    queryFn: () => get('/connected-folders/preview', query),
    gcTime: 0,
  })
  if (error) return <Failure text={textOf(error)} />
  if (!data) return <Skeleton label={t('common:wait')} heights={[96]} />
  if (data.picture) return <Picture key={data.picture} content={data.picture} label={t(`conflicts.${which}`)} />
  if (data.text === null) return <p className="t-soft">{t('conflicts.noPreview')}</p>
  if (data.text === '') return <p className="t-soft">{t('pieces.empty')}</p>
  return (
    <>
      {/* Reachable by keyboard, because it may have to be scrolled. */}
      <pre className={styles.preview} dir="auto" tabIndex={0} role="region" aria-label={t(`conflicts.${which}`)}>
        {visibleText(data.text)}
      </pre>
      {data.isCut ? <p className="t-soft">{t('conflicts.cut')}</p> : null}
    </>
  )
}

/** Drawn from memory: the page loads no picture by address, and shows none that could hold a script. */
function Picture({ content, label }: { content: string; label: string }) {
  const { t } = useTranslation('client')
  const [isBroken, setBroken] = useState(false)
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      let isShown = true
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
      createImageBitmap(new Blob([bytes])).then(
        (picture) => {
          if (!isShown) return
          const scale = Math.min(1, MAX_WIDTH / picture.width)
          canvas.width = Math.max(1, Math.round(picture.width * scale))
          canvas.height = Math.max(1, Math.round(picture.height * scale))
          canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
          picture.close()
        },
        () => setBroken(true),
      )
      return () => {
        isShown = false
      }
    },
    [content],
  )
  if (isBroken) return <p className="t-soft">{t('conflicts.noPreview')}</p>
  return <canvas ref={draw} role="img" aria-label={label} width={1} height={1} className={styles.picture} />
}

/** Line breaks and tabs stay; a colleague may have hidden something else. */
function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : visible(part)))
    .join('')
}
