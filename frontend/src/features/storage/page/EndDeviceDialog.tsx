import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { endDevice, storageKeys, type StorageDevice } from '../api'

type Props = { device: StorageDevice; onClose: () => void }

export default function EndDeviceDialog({ device, onClose }: Props) {
  const { t } = useTranslation('storage')
  const end = useToastMutation(() => endDevice(device), {
    success: t('devices.ended'),
    failure: t('devices.failed'),
    refresh: [storageKeys.devices],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      title={t('devices.confirm.title', { device: device.name })}
      confirmLabel={t('devices.end')}
      destructive
      pending={end.isPending}
      onConfirm={() => void end.mutate()}
      onClose={onClose}
    >
      {t('devices.confirm.text', { person: device.userName })}
    </ConfirmDialog>
  )
}
