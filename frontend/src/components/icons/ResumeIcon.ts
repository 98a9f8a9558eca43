import { createIcon } from './create-icon'

export const ResumeIcon = createIcon('M8 5v14l11-7z')
