import { toPatterns } from './patterns.ts';

/** Imperatives to forget, and the rules that are to be forgotten, in the order in which a language puts them. */
const OVERRIDE: readonly string[] = [
  // Spanish, Portuguese, French, Italian, Romanian, Catalan
  '(?:ignor(?:a|e|ad|en)|olvid(?:a|e|ad|en)|descart(?:a|e)|desobedece|omite|no sigas) [^.!?\\n]{0,40}?(?:instrucciones|reglas|órdenes|indicaciones|directrices|normas)',
  '(?:ignor(?:e|a|em)|esqueça|esquece|desconsider[ae]|descart[ae]) [^.!?\\n]{0,40}?(?:instruções|regras|ordens|diretrizes)',
  '(?:ignore[zs]?|oublie[zs]?|néglige[zs]?|ne tiens pas compte|ne tenez pas compte|fais abstraction) [^.!?\\n]{0,40}?(?:les|tes|vos|ces|de) (?:\\p{L}+ ){0,2}(?:consignes|instructions|règles|directives|ordres)',
  '(?:ignora(?:te)?|dimentica(?:te)?|trascura(?:te)?) [^.!?\\n]{0,40}?(?:istruzioni|regole|indicazioni|ordini|direttive)',
  '(?:ignoră|uită|ignora|oblida) [^.!?\\n]{0,40}?(?:instrucțiunile|regulile|instruccions|regles)',
  // German, Dutch, the Scandinavian languages
  '(?:ignoriere?(?:t|n sie)?|vergiss|vergesst|vergessen sie|missachte|verwirf|übergehe?|beachte nicht) [^.!?\\n]{0,40}?(?:anweisungen|regeln|vorgaben|instruktionen|befehle|richtlinien|anordnungen)',
  '(?:negeer|vergeet) [^.!?\\n]{0,40}?(?:instructies|regels|opdrachten|aanwijzingen)',
  '(?:ignorera|glöm|bortse från|ignorer|glem|se bort fra) [^.!?\\n]{0,40}?(?:instruktion|regler|instruks)',
  // Polish, Czech, Russian, Ukrainian
  '(?:zignoruj|ignoruj|zapomnij(?: o)?|pomiń|zapomeň(?: na)?) [^.!?\\n]{0,40}?(?:instrukcj|polece|zasad|regu|pokyn|instrukc|pravidl)',
  '(?:(?:про)?игнорируй(?:те)?|забудь(?:те)?|отбрось(?:те)?|не обращай внимания на|ігноруй(?:те)?) [^.!?\\n]{0,40}?(?:инструкци|правил|указани|команд|приказ|інструкц|вказів)',
  // Turkish, Indonesian, Vietnamese
  '(?:önceki|tüm|bütün|yukarıdaki|eski) [^.!?\\n]{0,30}?(?:talimat|kural|yönerge|komut)\\S{0,12} [^.!?\\n]{0,10}?(?:yok say|unut|görmezden gel|dikkate alma|göz ardı et)(?!t|d|ı|m)',
  '(?:abaikan|lupakan) [^.!?\\n]{0,30}?(?:instruksi|perintah|aturan|arahan)',
  '(?:bỏ qua|phớt lờ|hãy quên) [^.!?\\n]{0,30}?(?:chỉ dẫn|hướng dẫn|quy tắc|lệnh)',
  // Greek, Arabic, Hebrew, Persian, Hindi, Thai
  '(?:αγνόησε|αγνοήστε|ξέχασε) [^.!?\\n]{0,30}?(?:οδηγίες|κανόνες|εντολές)',
  '(?:تجاهل|انس|انسَ) [^.!?\\n]{0,30}?(?:التعليمات|الأوامر|القواعد|تعليمات)',
  '(?:התעלם|התעלמי|שכח) [^.!?\\n]{0,30}?(?:ההוראות|הכללים|הנחיות)',
  '(?:دستورات|دستورالعمل)[^.!?\\n]{0,30}?(?:نادیده بگیر|فراموش کن)',
  '(?:निर्देश|नियम|आदेश)\\S{0,6} [^.!?।\\n]{0,12}?(?:अनदेखा कर(?:ें|ो)|नज़रअंदाज़ कर(?:ें|ो)|भूल जा(?:ओ|इए|एं))',
  '(?:ละเว้น|เพิกเฉย|ลืม)[^.!?\\n]{0,30}?(?:คำสั่ง|กฎ)',
  // Japanese, Korean: the verb comes last, and its ending tells an order from a report
  '(?:指示|命令|ルール|規則|設定|プロンプト|制約|指令)[^。\\n]{0,10}?(?:無視(?:して(?:ください|下さい|くれ|$|[。!、,])|しろ|せよ|しなさい|すること)|忘れ(?:て(?:ください|下さい|$|[。!、,])|ろ|なさい)|破棄(?:して(?:ください|下さい)|しろ|せよ))',
  '(?:指示|命令|ルール|規則|制約|指令)に(?:は)?(?:もう)?(?:従わないで(?:ください|下さい|$|[。!、,])|従うな|従わなくて(?:いい|よい))',
  '(?:지시|명령|규칙|지침|프롬프트)\\S{0,6} ?[^.!?\\n]{0,10}?(?:무시(?:하고|하세요|해라|해줘|하십시오|해(?=[.! ]|$))|잊어(?:라|버려|주세요|(?=[.! ]|$)))',
];

/** Orders to answer otherwise from now on, or to be somebody else. */
const ROLE: readonly string[] = [
  '(?:a partir de|desde) ahora,? (?:eres|debes|respond|contesta|habla|actúa|serás|tienes que)|de ahora en adelante,? (?:eres|debes|respond|habla)',
  '(?:a partir de agora|de agora em diante),? (?:você|tu|respond|fale|és)',
  '(?:à partir de maintenant|dorénavant|désormais),? (?:tu|vous|répond|parle)',
  "(?:d'ora in poi|da ora in poi|da adesso),? (?:sei|rispond|devi|parla)",
  '(?:ab (?:sofort|jetzt)|von (?:jetzt|nun) an) (?:bist du|antwort|sollst du|musst du|wirst du|sprich)|du bist (?:jetzt|nun|ab sofort|ab jetzt) (?:ein|der|die|kein|nicht)',
  '(?:vanaf nu|voortaan) (?:ben je|antwoord|moet je|spreek)',
  '(?:отныне|с этого момента|с этой минуты|теперь),? (?:ты (?:[\\p{L}-]+,? )?(?:бот|пират|должен|обязан|не|будешь|отвеча)|отвечай)',
  '(?:od teraz|odtąd) (?:jesteś|odpowiadaj|musisz)',
  '(?:今から|これから|今後は?|以降|以後)(?:は|、|,)?[^。\\n]{0,14}?(?:答え|回答し|返答し|応答し|話し|返信し)(?:て(?:ください|下さい|$|[。!])|なさい|ろ)|あなたは今(?:から|や)',
  '(?:今から|これから|今後は?|以降|以後)(?:は|、|,)?[^。\\n]{0,24}?(?:として|に)(?:(?:振る舞|ふるま)(?:って|え|いなさい)|なりき(?:って|れ|りなさい)|演じ(?:て|ろ|なさい))(?:ください|下さい|$|[。!、,])',
  '(?:지금부터|이제부터|앞으로)(?:는|,)? [^.!?\\n]{0,16}?(?:대답|답변|응답|말)(?:해(?=[.! ]|$)|하세요|하라|해라)|(?:지금부터|이제부터) (?:너는|당신은|넌)',
];

/** Orders to show the prompt. */
const REVEAL: readonly string[] = [
  '(?:révèle|montre|affiche|donne|muestra|revela|mostra|dime|imprime|zeig|gib|verrate|nenne|toon|pokaż|göster)\\S{0,4} [^.!?\\n]{0,20}?(?:prompt|systemprompt|system-prompt)',
  '(?:покажи|выведи|раскрой|напечатай)(?:те)? [^.!?\\n]{0,20}?(?:системн\\S{1,4} )?(?:промпт|подсказк|инструкц)',
  '(?:システムプロンプト|プロンプト)[^。\\n]{0,6}?(?:表示|見せ|教え|出力|開示)(?:して|て|しろ|せよ|なさい)',
  '(?:시스템 ?프롬프트|프롬프트)\\S{0,2} ?[^.!?\\n]{0,6}?(?:보여|출력해|알려|공개해)',
];

const alone = (source: string) => ({ begins: '(?<![\\p{L}\\p{M}])', source });
const within = (source: string) => ({ begins: '', source });
const isSpaced = (source: string): boolean => /^[^ぁ-ヿ一-鿿가-힯฀-๿]{12}/u.test(source);
const toInstruction = (source: string) => (isSpaced(source) ? alone(source) : within(source));

/** Orders to drop what was said before, and to show it, in languages besides English and Chinese; texts in lower case. */
export const otherOverrides: readonly RegExp[] = toPatterns([...OVERRIDE, ...REVEAL].map(toInstruction));

/** Orders to be somebody else, or to answer otherwise, in languages besides English and Chinese; texts in lower case. */
export const otherRoles: readonly RegExp[] = toPatterns(ROLE.map(toInstruction));
