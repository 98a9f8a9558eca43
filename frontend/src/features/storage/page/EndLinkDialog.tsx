import { useTranslation } from 'react-i18next'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { endLink, storageKeys, type GuestLink, type LinkKind } from '../api'

type Props = { kind: LinkKind; link: GuestLink; onClose: () => void }

export default function EndLinkDialog({ kind, link, onClose }: Props) {
  const { t } = useTranslation('storage')
  return (
    <ConfirmMutation
      destructive
      title={t(`${kind}.confirm.title`)}
      confirmLabel={t('shares.end')}
      mutate={() => endLink(kind, link.id)}
      success={t(`${kind}.ended`)}
      failure={t(`${kind}.failed`)}
      refresh={[storageKeys[kind]]}
      onClose={onClose}
    >
      {t(`${kind}.confirm.text`, { person: link.authorName || t('shares.removed') })}
    </ConfirmMutation>
  )
}
