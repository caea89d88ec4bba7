// Says what keeps a PDF from being readable aloud, as veraPDF sees it: java Accessible.java FILE
import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

class Accessible {
    public static void main(String[] files) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        var kind = PDFAFlavour.PDFUA_1;
        try (var read = Foundries.defaultInstance().createParser(new File(files[0]), kind)) {
            ValidationResult result = Foundries.defaultInstance().createValidator(kind, false).validate(read);
            Map<String, Integer> wrong = new LinkedHashMap<>();
            for (TestAssertion one : result.getTestAssertions()) {
                if (one.getStatus() != TestAssertion.Status.PASSED) {
                    wrong.merge(one.getRuleId().getClause() + " " + one.getMessage(), 1, Integer::sum);
                }
            }
            wrong.forEach((what, times) -> System.out.println("wrong: " + what + " (" + times + " times)"));
            System.out.println("looked at: " + result.getTotalAssertions() + ", compliant: " + result.isCompliant());
        }
    }
}
