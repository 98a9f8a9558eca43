import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatDateTime, formatNumber } from '@/i18n/format'
import { storageShares } from '../api'
import { GuestLinks } from './GuestLinks'

/** Links by which people without an account get files. */
export function Shares() {
  const { t } = useTranslation('storage')
  return (
    <GuestLinks
      kind="shares"
      query={storageShares}
      details={(share) =>
        t('shares.details', {
          size: formatBytes(share.bytes),
          opened: formatNumber(share.downloads),
          most: formatNumber(share.maxDownloads),
          created: formatDate(share.createdAt),
          expires: formatDateTime(share.expiresAt),
        })
      }
      stateOf={({ state }) => ({
        text: state === 'open' ? '' : t(`shares.states.${state}`),
        isWarning: state === 'guessed',
      })}
    />
  )
}
