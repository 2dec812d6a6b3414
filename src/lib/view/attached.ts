import type { Attachment as ElementAttachment } from 'svelte/attachments';
import { attachments } from '../app/attachments';
import type { FilePart } from '../conversation/message';
import type { Attachment } from '../storage/tables/attachments';
import { formatBytes } from '../shared/bytes';
import { Live } from './live.svelte';

/** Returns the attachment of a file part: undefined, when it has been looked for, if it is not here any more. */
export function attachmentOf({ attachmentId }: FilePart): Live<Attachment | undefined> {
	return new Live(() => attachments.get(attachmentId));
}

/** Says how much a file is: its size, or of a document how many parts and characters a model reads. */
export function amountOf({ bytes, extract }: Attachment): string {
	if (!extract) return formatBytes(bytes);
	const { parts, read, unit, characters } = extract;
	const named = unit && `${read < parts ? `${read.toLocaleString()} of ` : ''}${parts.toLocaleString()} ${parts === 1 ? unit : `${unit}s`}`;
	return [named, `${characters.toLocaleString()} characters`].filter((part) => part !== undefined).join(' · ');
}

/** Shows a picture in an `img` for as long as that is there. */
export function showing(picture: Blob): ElementAttachment<HTMLImageElement> {
	return (image) => {
		const url = URL.createObjectURL(picture);
		image.src = url;
		return () => URL.revokeObjectURL(url);
	};
}
