import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CopyIcon } from '@/components/icons/CopyIcon'
import { copyText } from '@/lib/copy-text'

type Props = {
  text: string
  /** Names what is copied, for screen readers. */
  label: string
}

export function CopyButton({ text, label }: Props) {
  const { t } = useTranslation()
  return (
    <Button
      variant="text"
      size="small"
      icon={<CopyIcon />}
      aria-label={label}
      onClick={() => void copyText(text, t('copy.copied'), t('copy.failed'))}
    >
      {t('copy.action')}
    </Button>
  )
}
