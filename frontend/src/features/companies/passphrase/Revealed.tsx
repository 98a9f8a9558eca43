import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Actions, Lead, Stack } from '@/components/forms/layout'
import { CopyIcon } from '@/components/icons/CopyIcon'
import { useSecondsLeft } from '@/hooks/use-seconds-left'
import { copyText } from '@/lib/copy-text'
import own from './passphrase.module.css'

export const SHOWN_MS = 60_000

type Props = {
  text: string
  label: string
  onHide: () => void
  onClose: () => void
  /** What else can be done. */
  action?: ReactNode
}

/** Shows the passphrase, or a former one, and hides it after a minute. */
export function Revealed({ text, label, onHide, onClose, action }: Props) {
  const { t } = useTranslation('company')
  const [until] = useState(() => Date.now() + SHOWN_MS)
  const left = useSecondsLeft(until)
  const onTimeUp = useEffectEvent(onHide)
  useEffect(() => {
    const timer = window.setTimeout(onTimeUp, SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [])

  return (
    <Stack>
      {/* In its own text direction, with all its spaces. */}
      <output className={own.secret} dir="auto" aria-label={label}>
        {text}
      </output>
      <Lead>{t('passphrase.hidesIn', { count: left })}</Lead>
      <Actions>
        {action}
        <Button variant="text" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
        <Button
          autoFocus
          icon={<CopyIcon />}
          onClick={() => void copyText(text, t('passphrase.copied'), t('common:copy.failed'))}
        >
          {t('common:copy.action')}
        </Button>
      </Actions>
    </Stack>
  )
}
