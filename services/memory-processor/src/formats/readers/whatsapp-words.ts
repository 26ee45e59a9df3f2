import { MARKS } from './whatsapp-stamp.ts';

/** Kinds of media, as languages name them. */
const KINDS =
  'image|video|audio|sticker|GIF|document|video note|contact card|photo|imagen|foto|documento|tarjeta de contacto|Bild|Dokument|Kontaktkarte|vidéo|fiche contact|imagem|vídeo|figurinha|immagine|adesivo|afbeelding|contactkaart|görüntü|изображение|видео|аудио|стикер|документ|画像|動画|音声|ステッカー|이미지|동영상|오디오|스티커|图像|图片|視訊|影片|视频|音频|音訊|贴图|貼圖|文件';
/** What stands after a kind: "is left out". */
const GONE =
  'omitted|omitid[oa]|weggelassen|absente?|omise?|ocultad[oa]|omess[oa]|weggelaten|dahil edilmedi|отсутствует|пропущен[оа]?|は含まれていません|생략됨|已忽略|已略過|省略';
/** A kind on its own, or below the name of a file: `report.pdf • 2 pages document omitted`. */
const MEDIA = new RegExp(
  String.raw`^(?:<[^<>]{3,80}>|null|(?:[^\n•]{1,150}•[^\n•]{1,30}\s)?(?:${KINDS})\s?(?:${GONE})\.?)$`,
  'iu',
);
const CALL =
  /^(?:(?:missed |silenced )?(?:voice|video|group) call(?:, .{1,40})?|(?:verpasster )?(?:Sprach|Video)anruf(?:, .{1,40})?|live location shared|(?:未接)?(?:语音|語音|视频|視訊|視像)通[话話](?:，.{1,20})?)\.?$/iu;
const DELETED =
  /^(?:this message was deleted(?: by admin .{1,80})?\.?|you deleted this message\.?|waiting for this message.*|此消息已(?:被)?删除。?|您?你?已?删除了?此(?:条)?消息。?|(?:您|你)?已刪除(?:了)?(?:此|這則)訊息。?|(?:此|這則)訊息已刪除。?|diese nachricht wurde gelöscht\.?|du hast diese nachricht gelöscht\.?|se eliminó este mensaje\.?|eliminaste este mensaje\.?|ce message a été supprimé\.?|vous avez supprimé ce message\.?|(?:esta )?mensagem (?:foi )?apagada\.?|você apagou esta mensagem\.?|questo messaggio è stato eliminato\.?|hai eliminato questo messaggio\.?|dit bericht is verwijderd\.?|bu mesaj silindi\.?|данное сообщение удалено\.?|このメッセージは削除されました。?|삭제된 메시지입니다\.?)$/iu;
const ATTACHED = /^[^\s<>][^<>\n]{0,150}\.\w{2,5} ?[(（][^()（）\n]{3,40}[)）]$/u;

/** The words of a message, without marks of the program; media, calls, deleted messages and notices have none. */
export function toWhatsappWords(raw: string): { readonly text: string } | { readonly leftOut: string } {
  const lines = raw.split('\n').map((line) => line.replace(/\u200e?<[^<>:]{2,30}:\s[^<>]{1,150}\.\w{2,5}>/gu, ''));
  const text = lines
    .map((line) => line.replace(MARKS, ''))
    .filter((line) => !ATTACHED.test(line.trim()))
    .join('\n')
    .replace(
      /\s?<[^<>\n]{0,30}(?:edit(?:ed|ad[oa]|ó)|编辑|編輯|bearbeitet|modifi[éc]|modificato|bewerkt|düzenlendi|изменено|編集)[^<>\n]{0,20}>$/iu,
      '',
    )
    .trim();
  if (text === '' || MEDIA.test(text)) return { leftOut: 'media' };
  if (CALL.test(text)) return { leftOut: 'system message' };
  return DELETED.test(text) ? { leftOut: 'deleted message' } : { text };
}
