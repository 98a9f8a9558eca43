import { useTranslation } from 'react-i18next'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { endDevice, storageKeys, type StorageDevice } from '../api'

type Props = { device: StorageDevice; onClose: () => void }

export default function EndDeviceDialog({ device, onClose }: Props) {
  const { t } = useTranslation('storage')
  return (
    <ConfirmMutation
      destructive
      title={t('devices.confirm.title', { device: device.name })}
      confirmLabel={t('devices.end')}
      mutate={() => endDevice(device)}
      success={t('devices.ended')}
      failure={t('devices.failed')}
      refresh={[storageKeys.devices]}
      onClose={onClose}
    >
      {t('devices.confirm.text', { person: device.userName })}
    </ConfirmMutation>
  )
}
