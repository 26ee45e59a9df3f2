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
/** A place that was shared, and its word before it. */
const PLACE = /^[^\n:：]{1,30}[:：] https:\/\/maps\.google\.com\/\?q=-?[\d.]{1,20},-?[\d.]{1,20}$/u;
const CALL =
  /^(?:(?:missed |silenced )?(?:voice|video|group) call(?:, .{1,40})?|(?:verpasster )?(?:Sprach|Video)anruf(?:, .{1,40})?|(?:video)?llamada (?:de (?:voz|video)(?: grupal)? )?perdida|chamada de (?:voz|vídeo) perdida|appel (?:vocal|vidéo) manqué|chiamata vocale persa|videochiamata persa|(?:gemiste )(?:spraak|video)oproep|cevapsız (?:sesli|görüntülü) arama|пропущенный (?:аудио|видео)звонок|(?:不在着信の)?(?:音声通話|ビデオ通話)(?:の不在着信)?|부재중 (?:음성|영상) ?통화|live location shared|live-standort wird geteilt|ubicación en tiempo real compartida|localização em tempo real compartilhada|posizione (?:in tempo reale|attuale) condivisa|localisation en direct partagée|(?:未接)?(?:语音|語音|视频|視訊|視像)通[话話](?:未接|，.{1,20})?)\.?$/iu;
/** The notice that a message was deleted, by somebody else and by the user, as languages have it. */
const DELETED_NOTICES: readonly string[] = [
  'this message was deleted(?: by admin .{1,80})?|you deleted this message(?: as admin)?|waiting for this message.*',
  '此消息已(?:被)?(?:管理员.{1,80})?删除|[您你]?已?删除了?[此这](?:条)?(?:消息|訊息)|[您你]?已刪除(?:了)?(?:此|這則)訊息|(?:此|這則)訊息已(?:被)?刪除',
  'diese nachricht wurde gelöscht|du hast diese nachricht gelöscht',
  'se eliminó este mensaje|eliminaste este mensaje|este mensaje fue eliminado',
  'ce message a été supprimé|vous avez supprimé ce message',
  '(?:esta )?mensagem (?:foi )?(?:apagada|eliminada)|você apagou esta mensagem|(?:eliminou|apagou) esta mensagem',
  'questo messaggio è stato eliminato|hai eliminato questo messaggio',
  'dit bericht is verwijderd|(?:u hebt|je hebt|je hebt|jij hebt) dit bericht verwijderd',
  'bu mesaj silindi|bu mesajı sildiniz',
  'данное сообщение удалено|вы удалили данное сообщение|это сообщение удалено',
  'це повідомлення (?:було )?видалено|ви видалили це повідомлення',
  'このメッセージは削除されました|(?:あなたは)?(?:この)?メッセージを削除しました',
  '삭제된 메시지입니다|(?:이|회원님이) 메시지를 삭제했습니다',
  'ta wiadomość została usunięta|(?:usunięto|usunąłeś|usunęłaś) tę wiadomość',
  'detta meddelande togs bort|du tog bort detta meddelande',
  'denne meldingen ble slettet|du slettet denne meldingen|denne besked blev slettet|du slettede denne besked',
  'pesan ini telah dihapus|(?:anda|kamu) (?:telah )?menghapus pesan ini',
  'tin nhắn này đã bị (?:xóa|xoá)|bạn đã (?:xóa|xoá) tin nhắn này',
  'تم حذف هذه الرسالة|(?:لقد )?(?:قمت بحذف|حذفت) هذه الرسالة|این پیام حذف شد',
  'הודעה זו נמחקה|מחקת הודעה זו',
  'यह (?:मैसेज|संदेश) (?:डिलीट कर दिया गया|हटा दिया गया)(?: है)?|आपने यह (?:मैसेज|संदेश) (?:डिलीट किया|हटा दिया)(?: है)?',
  'αυτό το μήνυμα διαγράφηκε|acest mesaj a fost șters|tato zpráva byla (?:odstraněna|smazána)|ezt az üzenetet törölték',
];
const DELETED = new RegExp(`^(?:${DELETED_NOTICES.join('|')})[.。।]?$`, 'iu');
const ATTACHED = /^[^\s<>][^<>\n]{0,150}\.\w{2,5} ?[(（][^()（）\n]{3,40}[)）]$/u;

/** The words of a message, without marks of the program; media, calls, deleted messages and notices have none. */
export function toWhatsappWords(raw: string): { readonly text: string } | { readonly leftOut: string } {
  const lines = raw.split('\n').map((line) => line.replace(/\u200e?<[^<>:]{2,30}:\s[^<>]{1,150}\.\w{2,5}>/gu, ''));
  const text = lines
    .map((line) => line.replace(MARKS, ''))
    .filter((line) => !ATTACHED.test(line.trim()))
    .join('\n')
    .replace(
      /\s?<[^<>\n]{0,30}(?:edit(?:ed|ad[oa]|ó)|编辑|編輯|bearbeitet|modifi[éc]|modificato|bewerkt|düzenlendi|изменено|edytowan|redigerad|diedit|chỉnh sửa|수정|編集)[^<>\n]{0,20}>$/iu,
      '',
    )
    .trim();
  if (text === '' || MEDIA.test(text) || PLACE.test(text)) return { leftOut: 'media' };
  if (CALL.test(text)) return { leftOut: 'system message' };
  return DELETED.test(text) ? { leftOut: 'deleted message' } : { text };
}
